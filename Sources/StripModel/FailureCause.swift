/// Why a change did not reach a strip. The names are part of the API.
public enum FailureCause: String, Error, Codable, Hashable, Sendable, CaseIterable {
    case outOfRange = "out-of-range"
    case timedOut = "timed-out"
    case noAdapter = "no-adapter"
    case adapterOff = "adapter-off"
    case noBluetoothService = "no-bluetooth-service"
    case notAllowed = "not-allowed"
    /// The strip refuses links.
    case refused
    /// Its services were resolved, and those that take commands are not among them.
    case noServices = "no-services"
    case notAStrip = "not-a-strip"
    case writeRefused = "write-refused"
    case noAnswer = "no-answer"
    case released
    case forgotten
    case stopping
    case nothingToChange = "nothing-to-change"
    case failed

    /// One sentence for people: what happened, and what to try.
    public var explanation: String {
        switch self {
        case .outOfRange:
            "The strip was not heard: check its power and its distance, and close any phone app that may be connected to it."
        case .timedOut:
            "The link was made, but the change was not through in time: try again, or move the strip nearer."
        case .noAdapter: "There is no Bluetooth adapter: plug one in, or see whether bluetoothctl list shows it."
        case .adapterOff:
            "The Bluetooth adapter is off: switch it on with bluetoothctl power on, or unblock it with rfkill."
        case .noBluetoothService: "bluetoothd does not answer: start it with systemctl start bluetooth."
        case .notAllowed:
            "The bus does not let stripd talk to BlueZ: see the D-Bus policy, or add its user to the group bluetooth."
        case .refused:
            "The strip refuses the link: another app or computer may hold it; close that, or cut its power once."
        case .noServices:
            "The strip is connected, but BlueZ shows none of its services: cut its power once; some firmware confuses BlueZ."
        case .notAStrip: "The device did not answer as a strip of this family does: it cannot be driven."
        case .writeRefused: "The strip or BlueZ refused the write: another program may hold the characteristic."
        case .noAnswer:
            "The strip took the command and did not confirm it: look at the light, and cut its power if it is stuck."
        case .released: "The link was given back with release before the change was through: send it again."
        case .forgotten: "The strip was forgotten before the change was through: adopt it again."
        case .stopping: "stripd was stopped before the change was through: send it again when it runs."
        case .nothingToChange: "There is nothing that this could change: set a colour or an effect first."
        case .failed: "It failed for a reason that stripd has no name for: its log has more."
        }
    }
}
