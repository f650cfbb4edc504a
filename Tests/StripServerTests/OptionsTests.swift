import CommandLineTable
import StripCore
import Testing

@testable import StripServer

@Suite struct OptionsTests {
    private func options(_ words: [String]) throws -> Options { try Options(try Options.program.parse(words)) }

    @Test func theDefaults() throws {
        let options = try options([])
        #expect(options.socket == nil)
        #expect(options.state == nil)
        #expect(options.bus == nil)
        #expect(options.adapter == .any)
        #expect(options.keepLink == .after(.seconds(120)))
        #expect(options.simulate == nil)
        #expect(options.logLevel == .info)
    }

    @Test func everyOptionIsTaken() throws {
        let options = try options([
            "--socket", "/tmp/s", "--state=/tmp/state", "--bus", "unix:path=/run/dbus/system_bus_socket", "--adapter",
            "hci1", "--keep-link", "always", "--log-level", "debug",
        ])
        #expect(options.socket == "/tmp/s")
        #expect(options.state == "/tmp/state")
        #expect(options.bus == "unix:path=/run/dbus/system_bus_socket")
        #expect(options.adapter == .named("hci1"))
        #expect(options.keepLink == .always)
        #expect(options.logLevel == .debug)
    }

    @Test func anAdapterMayBeItsAddress() throws {
        for text in ["00:1a:7d:da:71:13", "00-1A-7D-DA-71-13", "001a7dda7113"] {
            #expect(try options(["--adapter", text]).adapter == .address("00:1A:7D:DA:71:13"))
        }
    }

    @Test func aLinkMayBeGivenBackAtOnce() throws {
        #expect(try options(["--keep-link", "0"]).keepLink == .after(.zero))
        #expect(try options(["--simulate", "64"]).simulate == 64)
    }

    static let refused: [([String], String)] = [
        (
            ["--adapter", "wlan0"],
            "--adapter: \"wlan0\" is no adapter; accepted: hci0, hci1, ... or an adapter's address"
        ),
        (["--adapter", "hci"], "--adapter: \"hci\" is no adapter; accepted: hci0, hci1, ... or an adapter's address"),
        (
            ["--adapter", "hci-1"],
            "--adapter: \"hci-1\" is no adapter; accepted: hci0, hci1, ... or an adapter's address"
        ),
        (
            ["--adapter", "hci+1"],
            "--adapter: \"hci+1\" is no adapter; accepted: hci0, hci1, ... or an adapter's address"
        ),
        (["--adapter", ""], "--adapter: \"\" is no adapter; accepted: hci0, hci1, ... or an adapter's address"),
        (
            ["--keep-link", "-1"],
            "--keep-link: \"-1\" is no duration; accepted: seconds from 0 to 86400, or always"
        ),
        (
            ["--keep-link", "2m"], "--keep-link: \"2m\" is no duration; accepted: seconds from 0 to 86400, or always"
        ),
        (
            ["--keep-link", "86401"],
            "--keep-link: \"86401\" is no duration; accepted: seconds from 0 to 86400, or always"
        ),
        (["--simulate", "0"], "--simulate takes a whole number from 1 to 64, not '0'"),
        (["--simulate", "many"], "--simulate takes a whole number from 1 to 64, not 'many'"),
        (
            ["--simulate", "1", "--bus", "unix:path=/x"],
            "--simulate brings a bus of its own: it does not go with --bus"
        ),
        (
            ["--log-level", "loud"],
            "--log-level: \"loud\" is no level; accepted: error, warning, notice, info, debug"
        ),
        (
            ["--bus", "system"],
            "--bus: \"system\" is no bus address; accepted: unix:path=/run/dbus/system_bus_socket and its like"
        ),
        (["--socket", ""], "--socket: \"\" is no path"), (["--state", ""], "--state: \"\" is no path"),
    ]

    @Test(arguments: refused) func aBadValueIsQuoted(_ words: [String], _ message: String) {
        #expect(throws: UsageError(message)) { _ = try options(words) }
    }

    @Test func anUnknownOptionIsAskedAbout() {
        #expect(Daemon.main(["--simulat", "3"], environment: [:]) == 2)
        let error = #expect(throws: UsageError.self) { try options(["--simulat", "3"]) }
        #expect(error.map { Options.program.explanation(of: $0) }?.contains("--simulate") == true)
    }

    static let buses: [(String, Bool)] = [
        ("unix:path=/run/dbus/system_bus_socket", true), ("unix:abstract=/tmp/x,guid=0123", true),
        ("tcp:host=127.0.0.1,port=1234;unix:path=/x", true), ("unix:path=/a%20b", true), ("", false), (";", false),
        ("unix", false), (":path=/x", false), ("unix:path", false), ("unix:=x", false), ("unix:path=", false),
        ("unix:path=/a b", false), ("unix:path=/a%2", false), ("unix:path=/x,", false), ("/run/dbus/socket", false),
        ("unix:path=/a%zz", false), ("unix:path=/\u{e9}", false),
    ]

    @Test(arguments: buses) func aBusAddressHasAForm(_ text: String, _ isOne: Bool) {
        #expect(BusAddress.isWellFormed(text) == isOne)
    }

    @Test func theBusComesFromTheOptionElseTheEnvironment() throws {
        let variable = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/env"]
        #expect(try BusAddress.chosen(by: options(["--bus", "unix:path=/opt"]), variable) == "unix:path=/opt")
        #expect(try BusAddress.chosen(by: options([]), variable) == "unix:path=/env")
        #expect(try BusAddress.chosen(by: options([]), [:]) == "unix:path=/run/dbus/system_bus_socket")
        #expect(throws: PlaceError.self) {
            try BusAddress.chosen(by: options([]), ["DBUS_SYSTEM_BUS_ADDRESS": "nonsense"])
        }
    }
}
