import DBus
import Testing

@testable import BlueZ

struct AdapterTests {
    @Test("users.md 8: adapters come in the order of their numbers")
    func numericOrder() {
        let names = ["hci10", "hci2", "hci0", "other"].compactMap { Adapter(path: .init("/org/bluez/\($0)") ?? "/") }
        #expect(names.sorted().map(\.name) == ["hci0", "hci2", "hci10", "other"])
    }
}
