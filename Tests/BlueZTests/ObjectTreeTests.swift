import DBus
import Testing

@testable import BlueZ

struct ObjectTreeTests {
    private func tree(_ objects: [Object]) -> ObjectTree {
        var tree = ObjectTree()
        _ = tree.apply(managedObjects: managed(objects))
        return tree
    }

    private var device: Device {
        Device(
            path: desk, adapter: hci0, address: deskAddress, name: "Triones-FFFF385B4065",
            alias: "Triones-FFFF385B4065", rssi: -57, addressType: "public")
    }

    @Test func theFirstReplyIsRead() {
        var tree = ObjectTree()
        let changes = tree.apply(managedObjects: managed([.device(), .hci0]))
        let adapter = Adapter(path: hci0, address: "00:AA:01:00:00:23", powered: true)
        #expect(changes == [.adapter(adapter), .deviceAppeared(device), .deviceHeard(device)])
    }

    @Test("users.md 13, 17: one InterfacesAdded without UUIDs makes a device")
    func announcedOnce() {
        var tree = tree([.hci0])
        #expect(tree.apply(.added(.device())) == [.deviceAppeared(device), .deviceHeard(device)])
        #expect(tree.devices(withAddress: deskAddress) == [device])
    }

    @Test("users.md 22: a nameless device has an alias in dash form and no name")
    func nameless() {
        let device = tree([.device(name: nil)]).devices[desk]
        #expect(device?.name == nil)
        #expect(device?.alias == "FF-FF-38-5B-40-65")
    }

    @Test func oneAddressMayBeKnownToSeveralAdapters() {
        let other: ObjectPath = "/org/bluez/hci10/dev_FF_FF_38_5B_40_65"
        let tree = tree([.device(), .device(other, on: "/org/bluez/hci10")])
        #expect(tree.devices(withAddress: deskAddress).map(\.path) == [desk, other])
    }

    @Test("users.md 47: characteristics may come before their services and their device", arguments: [false, true])
    func anyOrder(backwards: Bool) {
        let objects: [Object] = [.device(), .ffd5, .ffd9, .ffd0, .ffd4]
        var tree = ObjectTree()
        for object in backwards ? objects.reversed() : objects { _ = tree.apply(.added(object)) }
        let found = tree.characteristics(of: desk)
        #expect(found.map(\.path) == [ffd9, ffd4])
        #expect(found.map { $0.has16BitUUID(0xFFD9) } == [true, false])
        #expect(found.first?.flags == ["write", "write-without-response"])
    }

    @Test func whatCompletesACharacteristicTellsSo() {
        var tree = tree([.device()])
        #expect(tree.apply(.added(.ffd9)) == [])
        #expect(tree.apply(.added(.ffd5)) == [.characteristics(of: desk)])
    }

    @Test func aLinkLossIsOneChangeAndKeepsTheCharacteristics() {
        var tree = tree(Object.linked)
        let changes = tree.apply(
            .changed(desk, device1, ["Connected": .bool(false), "ServicesResolved": .bool(false)]))
        #expect(changes == [.deviceChanged(device)])
        #expect(tree.characteristics(of: desk).count == 2)
    }

    @Test func beingHeardAgainIsNewsEvenWithTheSameStrength() {
        var tree = tree([.device()])
        #expect(tree.apply(.changed(desk, device1, ["RSSI": .int16(-57)])) == [.deviceHeard(device)])
    }

    @Test func anInvalidatedStrengthIsUnknown() {
        var tree = tree([.device()])
        var silent = device
        silent.rssi = nil
        #expect(tree.apply(.changed(desk, device1, [:], invalidated: ["RSSI"])) == [.deviceChanged(silent)])
    }

    @Test func theSameValueNotifiedTwiceIsTwoNotifications() {
        var tree = tree(Object.linked)
        let signal = Signal.changed(ffd4, characteristic1, ["Value": .bytes([0x66, 0x99])])
        let expected = ObjectTree.Change.notified(ffd4, device: desk, value: [0x66, 0x99])
        #expect(tree.apply(signal) + tree.apply(signal) == [expected, expected])
    }

    @Test func otherInterfacesOfAnObjectMayGo() {
        var tree = tree(Object.linked)
        #expect(tree.apply(.removed(desk, ["org.bluez.Battery1", "org.bluez.MediaControl1"])) == [])
        #expect(tree.devices[desk] != nil)
    }

    @Test func aDeviceTakesItsCharacteristicsAlong() {
        var tree = tree(Object.linked)
        #expect(tree.apply(.removed(desk, [device1])) == [.deviceVanished(desk, address: deskAddress)])
        #expect(tree.characteristics(of: desk) == [])
        #expect(!tree.contains(ffd9))
    }

    @Test func anAdapterTakesItsDevicesAlong() {
        var tree = tree(Object.linked)
        #expect(
            tree.apply(.removed(hci0, [adapter1])) == [
                .deviceVanished(desk, address: deskAddress), .adapterRemoved(hci0),
            ])
    }

    @Test("users.md 43: with its owner everything goes")
    func ownerGone() {
        var tree = tree(Object.linked)
        #expect(tree.removeAll() == [.deviceVanished(desk, address: deskAddress), .adapterRemoved(hci0)])
        #expect(!tree.contains(hci0) && !tree.contains(desk) && !tree.contains(ffd9))
        #expect(tree.devices(withAddress: deskAddress) == [])
    }

    @Test("users.md 14: signals about unknown objects change nothing")
    func unknownObjects() {
        var tree = tree([.hci0])
        let changes =
            tree.apply(.changed(desk, device1, ["Connected": .bool(true)])) + tree.apply(.removed(desk, [device1]))
            + tree.apply(.changed(ffd4, characteristic1, ["Value": .bytes([1])]))
        #expect(changes == [])
        #expect(tree.devices.isEmpty)
    }

    @Test(
        "a property of the wrong type keeps its value",
        arguments: [
            "Address", "Name", "Alias", "RSSI", "Connected", "ServicesResolved", "Trusted", "UUIDs", "AddressType",
            "Adapter",
        ])
    func wrongType(name: String) {
        var tree = tree([.device()])
        #expect(tree.apply(.changed(desk, device1, [name: .structure([.double(1)])])) == [])
        #expect(tree.devices[desk] == device)
    }

    @Test("malformed signals change nothing")
    func malformed() {
        var tree = tree(Object.linked)
        let before = tree.devices
        for member in ["PropertiesChanged", "InterfacesAdded", "InterfacesRemoved"] {
            for interface in ["org.freedesktop.DBus.Properties", "org.freedesktop.DBus.ObjectManager"] {
                for arguments: [DBusValue] in [
                    [], [.string(device1)], [.objectPath(desk)], [.byte(1), .byte(2), .byte(3)],
                    [.string(device1), .string("x"), .array(element: "s", [])],
                    [.objectPath(desk), .string(device1)], [.objectPath(desk), .array(element: "i", [.int32(1)])],
                    [.string(device1), .dict(signature: "{is}", [(.int32(1), .string("x"))])],
                ] {
                    let signal = Signal(path: desk, interface: interface, member: member, arguments: arguments)
                    #expect(tree.apply(signal) == [])
                }
            }
        }
        #expect(tree.devices == before)
    }

    @Test func aDeviceThatHidesItsAddressHasItInItsPath() {
        var tree = ObjectTree()
        _ = tree.apply(.added(Object(path: desk, interface: device1, properties: [:])))
        #expect(tree.devices(withAddress: deskAddress).map(\.adapter) == [hci0])
        #expect(tree.apply(.added(Object(path: "/odd", interface: device1, properties: [:]))) == [])
    }

    @Test("users.md 69: devices that came and went leave nothing behind")
    func nothingLeft() {
        var tree = tree([.hci0])
        for number in 0..<600 {
            let address = "00:00:00:00:0\(number / 100):\(number % 100 + 100)".replacing(":1", with: ":")
            let path = ObjectPath("/org/bluez/hci0/dev_\(address.replacing(":", with: "_"))") ?? "/"
            _ = tree.apply(.added(.device(path, address: address)))
            _ = tree.apply(.removed(path, [device1]))
            #expect(tree.devices(withAddress: address) == [])
        }
        #expect(tree.devices.isEmpty)
    }
}
