import DBus

/// The GATT objects of one device, in the order in which they appear on the bus.
struct GATTTable: Sendable {
    enum Role: Sendable, Hashable {
        /// FFD9 or FFE9.
        case commands
        /// FFD4 or FFE4.
        case reports
        /// Of no interest to anyone.
        case other
    }

    enum Kind: Sendable {
        case service
        case characteristic(Role, flags: [String], service: ObjectPath)
        case descriptor(of: ObjectPath)
    }

    struct Node: Sendable {
        var path: ObjectPath
        var uuid: UInt16
        var kind: Kind
    }

    private(set) var nodes: [Node] = []
    private let device: ObjectPath

    init(device: ObjectPath, of strip: StripDescription) {
        self.device = device
        let first = strip.firstHandle
        let shift: UInt16
        switch strip.layout {
        case .ffd: shift = 0
        case .ffe: shift = 0x10
        case .other:
            add(0x180F, [(0x2A19, .other, ["read"])], from: first)
            return
        }
        add(0xFFD5 + shift, [(0xFFD9 + shift, .commands, strip.writeFlags.texts)], from: first)
        add(0xFFD0 + shift, [(0xFFD4 + shift, .reports, ["read", "notify"])], from: first + 3)
    }

    func characteristic(at path: ObjectPath) -> (role: Role, flags: [String])? {
        for node in nodes where node.path == path {
            if case .characteristic(let role, let flags, _) = node.kind { return (role, flags) }
        }
        return nil
    }

    func path(of role: Role) -> ObjectPath? {
        nodes.first { if case .characteristic(role, _, _) = $0.kind { true } else { false } }?.path
    }

    func object(_ node: Node, report: [UInt8], notifying: Bool) -> ObjectDescription {
        let uuid = DBusValue.string(longUUID(node.uuid))
        switch node.kind {
        case .service:
            return ObjectDescription(
                node.path,
                [
                    (
                        .service,
                        [
                            "UUID": uuid, "Device": .objectPath(device), "Primary": .bool(true),
                            "Includes": .array(element: "o", []),
                        ]
                    )
                ])
        case .characteristic(let role, let flags, let service):
            var properties: Properties = [
                "UUID": uuid, "Service": .objectPath(service), "Value": .bytes(role == .reports ? report : []),
            ]
            if flags.contains("notify") { properties.append("Notifying", .bool(notifying)) }
            properties.append("Flags", .strings(flags))
            if flags.contains("write-without-response") { properties.append("WriteAcquired", .bool(false)) }
            if flags.contains("notify") { properties.append("NotifyAcquired", .bool(false)) }
            properties.append("MTU", .uint16(23))
            return ObjectDescription(node.path, [(.characteristic, properties)])
        case .descriptor(let characteristic):
            return ObjectDescription(
                node.path,
                [(.descriptor, ["UUID": uuid, "Characteristic": .objectPath(characteristic), "Value": .bytes([])])])
        }
    }

    private mutating func add(_ uuid: UInt16, _ characteristics: [(UInt16, Role, [String])], from handle: UInt16) {
        let service = device.child("service" + digits(handle))
        nodes.append(Node(path: service, uuid: uuid, kind: .service))
        var next = handle + 1
        for (uuid, role, flags) in characteristics {
            let path = service.child("char" + digits(next))
            nodes.append(Node(path: path, uuid: uuid, kind: .characteristic(role, flags: flags, service: service)))
            next += 2
            if flags.contains("notify") {
                nodes.append(
                    Node(path: path.child("desc" + digits(next)), uuid: 0x2902, kind: .descriptor(of: path)))
                next += 1
            }
        }
    }

    private func digits(_ handle: UInt16) -> String {
        hex(UInt8(handle >> 8)) + hex(UInt8(truncatingIfNeeded: handle))
    }
}
