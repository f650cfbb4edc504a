import DBus
import Testing

@Suite struct ValueAccessTests {
    @Test(arguments: [
        (DBusValue.byte(7), Int?.some(7)), (.int16(-60), -60), (.uint16(0xFFFF), 65535), (.int32(-1), -1),
        (.uint32(.max), 4_294_967_295), (.int64(-1), -1), (.uint64(1), 1), (.uint64(.max), nil),
        (.variant(.variant(.int16(5))), 5), (.bool(true), nil), (.double(1), nil), (.string("1"), nil),
    ])
    func integersOfAnyWidth(value: DBusValue, int: Int?) {
        #expect(value.int == int)
    }

    @Test func aKindIsItselfAndNoOther() {
        #expect(DBusValue.string("x").string == "x")
        #expect(DBusValue.objectPath("/x").string == nil)
        #expect(DBusValue.signature("s").string == nil)
        #expect(DBusValue.variant(.objectPath("/x")).objectPath == "/x")
        #expect(DBusValue.bool(true).bool == true)
        #expect(DBusValue.byte(1).bool == nil)
        #expect(DBusValue.variant(.bytes([1, 2])).bytes == [1, 2])
        #expect(DBusValue.array(element: "s", []).bytes == nil)
        #expect(DBusValue.strings(["a", "b"]).strings == ["a", "b"])
        #expect(DBusValue.array(element: "o", []).strings == nil)
    }

    @Test func aDictionaryGivesItsValuesWithoutTheirVariants() {
        let properties = DBusValue.options(["RSSI": .int16(-60), "UUIDs": .strings(["a"])])
        #expect(properties.dictionary == ["RSSI": .int16(-60), "UUIDs": .strings(["a"])])
        #expect(DBusValue.variant(properties).dictionary?.count == 2)
        #expect(DBusValue.dict(signature: "{qv}", []).dictionary == nil)
    }

    @Test func theLastOfEqualKeysCounts() {
        let twice = DBusValue.dict(signature: "{si}", [(.string("k"), .int32(1)), (.string("k"), .int32(2))])
        #expect(twice.dictionary == ["k": .int32(2)])
    }

    @Test func managedObjectsAreKeyedByPath() {
        let objects = DBusValue.dict(
            signature: "{oa{sa{sv}}}",
            [
                (
                    .objectPath("/org/bluez/hci0"),
                    .dict(signature: "{sa{sv}}", [(.string("org.bluez.Adapter1"), .options(["Powered": .bool(true)]))])
                )
            ])
        let adapter = objects.objects?["/org/bluez/hci0"]?.dictionary?["org.bluez.Adapter1"]?.dictionary
        #expect(adapter?["Powered"]?.bool == true)
    }

    @Test func dictionariesAreEqualWhateverTheOrderOfTheirPairs() {
        let one = DBusValue.dict(signature: "{si}", [(.string("a"), .int32(1)), (.string("b"), .int32(2))])
        let other = DBusValue.dict(signature: "{si}", [(.string("b"), .int32(2)), (.string("a"), .int32(1))])
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one != .dict(signature: "{si}", [(.string("a"), .int32(1))]))
    }

    @Test func comparingDeepDictionariesIsQuick() {
        // Twice the work at each level would never end.
        var (one, other) = (DBusValue.string("core"), DBusValue.string("core"))
        for _ in 0..<64 { (one, other) = (.options(["key": one]), .options(["key": other])) }
        #expect(one == other)
        #expect(Set([one, other]).count == 1)
        #expect(one != .options(["key": one]))
    }

    @Test(arguments: [
        (DBusValue.int32(1), DBusValue.uint32(1)), (.string("/"), .objectPath("/")), (.byte(1), .variant(.byte(1))),
        (.array(element: "s", []), .array(element: "o", [])), (.bytes([]), .array(element: "y", [])),
        (.descriptor(OwnedDescriptor(adopting: -1)), .descriptor(OwnedDescriptor(adopting: -1))),
    ])
    func differentKindsAreNotEqual(one: DBusValue, other: DBusValue) {
        #expect(one != other)
    }
}
