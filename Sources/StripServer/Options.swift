import CommandLineTable
import EventLoop
import StripAPI
import StripCore
import StripModel

/// What `stripd` was asked to be on its command line.
struct Options: Sendable {
    var socket: String?
    var state: String?
    var bus: String?
    var adapter = AdapterChoice.any
    var keepLink = KeepLink.after(.seconds(120))
    var simulate: Int?
    var logLevel = Log.Level.info

    static let socketOption = Option("socket", value: "PATH", meaning: "Listen on this Unix socket")
    static let stateOption = Option("state", value: "DIR", meaning: "Keep the known strips in this directory")
    static let busOption = Option(
        "bus", value: "ADDRESS",
        meaning: "Use this message bus instead of the system bus (also $DBUS_SYSTEM_BUS_ADDRESS)")
    static let adapterOption = Option(
        "adapter", value: "ADAPTER", meaning: "Use only this adapter: hci1, or its address, which never changes")
    static let keepLinkOption = Option(
        "keep-link", value: "SECONDS",
        meaning: "Give a link back this long after the last command, or always keep it (default 120)")
    static let simulateOption = Option(
        "simulate", value: "N", meaning: "Drive N simulated strips on a private bus instead of real ones")
    static let logLevelOption = Option(
        "log-level", value: "LEVEL", meaning: "error, warning, notice, info or debug (default info)")

    static let program = Program(
        "stripd", summary: "drives Bluetooth LE RGB strips of the Triones family",
        explanation: [
            "stripd keeps the links to the strips and serves a REST API on a Unix socket, which stripctl uses.",
            "Without root it listens on $XDG_RUNTIME_DIR/stripd.sock and keeps its state in $XDG_STATE_HOME/stripd.",
        ],
        options: [
            socketOption, stateOption, busOption, adapterOption, keepLinkOption, simulateOption, logLevelOption,
            Option.help, Option.version,
        ],
        examples: [
            Example("stripd --simulate 3", "try it without any hardware"),
            Example("stripd --adapter hci1 --keep-link always", "use the second adapter and never let a link go"),
        ])

    init(_ parsed: Parsed) throws(UsageError) {
        socket = try Self.path(parsed, Self.socketOption)
        state = try Self.path(parsed, Self.stateOption)
        if let text = parsed.value(of: Self.busOption) { bus = try Self.bus(text) }
        if let text = parsed.value(of: Self.adapterOption) { adapter = try Self.adapter(text) }
        if let text = parsed.value(of: Self.keepLinkOption) { keepLink = try Self.keepLink(text) }
        simulate = try parsed.number(of: Self.simulateOption, in: 1...64)
        if simulate != nil, bus != nil {
            throw UsageError("--simulate brings a bus of its own: it does not go with --bus")
        }
        if let text = parsed.value(of: Self.logLevelOption) { logLevel = try Self.logLevel(text) }
    }

    private static func path(_ parsed: Parsed, _ option: Option) throws(UsageError) -> String? {
        guard let text = parsed.value(of: option) else { return nil }
        guard !text.isEmpty else { throw UsageError("--\(option.name): \(quoted(text)) is no path") }
        return text
    }

    private static func bus(_ text: String) throws(UsageError) -> String {
        guard BusAddress.isWellFormed(text) else {
            throw UsageError("--bus: \(quoted(text)) is no bus address; accepted: \(BusAddress.system) and its like")
        }
        return text
    }

    private static func adapter(_ text: String) throws(UsageError) -> AdapterChoice {
        if text.hasPrefix("hci"), let number = UInt16(text.dropFirst(3)), text == "hci\(number)" { return .named(text) }
        if let address = BluetoothAddress(text) { return .address(address.bluez) }
        throw UsageError("--adapter: \(quoted(text)) is no adapter; accepted: hci0, hci1, ... or an adapter's address")
    }

    private static func keepLink(_ text: String) throws(UsageError) -> KeepLink {
        if text == "always" { return .always }
        guard let seconds = Int(text), (0...86400).contains(seconds) else {
            throw UsageError(
                "--keep-link: \(quoted(text)) is no duration; accepted: seconds from 0 to 86400, or always")
        }
        return .after(.seconds(seconds))
    }

    private static func logLevel(_ text: String) throws(UsageError) -> Log.Level {
        guard let level = Log.Level.allCases.first(where: { "\($0)" == text }) else {
            let levels = Log.Level.allCases.map { "\($0)" }.joined(separator: ", ")
            throw UsageError("--log-level: \(quoted(text)) is no level; accepted: \(levels)")
        }
        return level
    }
}
