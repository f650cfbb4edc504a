import DBus
import Testing

@Suite struct ObjectPathTests {
    @Test(arguments: ["", "a", "/a/", "//", "/a//b", "/a-b", "/ä", "/a b", "/a\0b", "/a.b"])
    func aMalformedPathIsNone(text: String) {
        #expect(ObjectPath(text) == nil)
    }

    @Test(arguments: [
        ("/", "", String?.none), ("/org", "org", "/"), ("/org/bluez", "bluez", "/org"),
        ("/org/bluez/hci0/dev_FF_FF_38_5B_40_65", "dev_FF_FF_38_5B_40_65", "/org/bluez/hci0"),
    ])
    func aPathHasALastComponentAndAParent(text: String, last: String, parent: String?) throws {
        let path = try #require(ObjectPath(text))
        #expect(path.lastComponent == last)
        #expect(path.parent?.text == parent)
    }

    @Test(arguments: [
        ("/", "/", true), ("/", "/a", true), ("/a", "/a", true), ("/a", "/a/b", true), ("/a", "/ab", false),
        ("/a/b", "/a", false), ("/a", "/", false),
    ])
    func aPathContainsItselfAndWhatIsBelow(path: String, other: String, isInside: Bool) throws {
        #expect(try #require(ObjectPath(path)).contains(try #require(ObjectPath(other))) == isInside)
    }
}
