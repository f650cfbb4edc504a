import BlueZ
import DBus

/// Where a strip takes commands and where it reports: the two GATT layouts of the family (triones.md, "GATT").
struct Endpoints: Hashable, Sendable {
    /// FFD9 or FFE9.
    var write: ObjectPath
    var writeTypes: WriteTypes
    /// FFD4 or FFE4; `nil` for a strip that takes commands and tells nothing.
    var report: ObjectPath?
}

extension Endpoints {
    /// Picks by UUID *and* property: a writable FFD9 or FFE9, a notifying FFD4 or FFE4.
    ///
    /// `nil` if nothing takes commands.
    init?(in characteristics: [Characteristic]) {
        let layouts: [(service: UInt16, command: UInt16, status: UInt16)] = [
            (0xFFD5, 0xFFD9, 0xFFD4), (0xFFE5, 0xFFE9, 0xFFE4),
        ]
        for layout in layouts {
            for command in characteristics where command.has16BitUUID(layout.command) {
                guard let types = WriteTypes(flags: command.flags) else { continue }
                write = command.path
                writeTypes = types
                report = characteristics.first { $0.has16BitUUID(layout.status) && $0.flags.contains("notify") }?.path
                return
            }
        }
        return nil
    }
}

/// Which write types a characteristic's flags offer. Another type is never used: BlueZ reports success for it and the
/// strip ignores the frame (bluez.md, "Writing").
enum WriteTypes: Hashable, Sendable {
    case request
    case command
    case both

    init?(flags: Set<String>) {
        switch (flags.contains("write"), flags.contains("write-without-response")) {
        case (true, true): self = .both
        case (true, false): self = .request
        case (false, true): self = .command
        case (false, false): return nil
        }
    }

    /// *Request* where it is offered, since some lights obey power only then.
    ///
    /// - Parameter alternate: the other one, where both are offered: tried when a strip did not do as it was told.
    func preferred(alternate: Bool) -> WriteType {
        switch self {
        case .request: .request
        case .command: .command
        case .both: alternate ? .command : .request
        }
    }
}
