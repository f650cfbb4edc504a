import Glibc
import Testing
import VirtualBlueZ

@Suite struct PrivateBusTests {
    private func socket(of bus: PrivateBus) -> String {
        let path = bus.address.split(separator: ",").first ?? ""
        return String(path.dropFirst("unix:path=".count))
    }

    @Test func theBusListensOnASocketThatStopRemoves() throws {
        let bus = try PrivateBus()
        let socket = socket(of: bus)
        #expect(access(socket, F_OK) == 0)
        bus.stop()
        bus.stop()
        #expect(access(socket, F_OK) != 0)
    }

    @Test func aDroppedBusEnds() throws {
        var bus: PrivateBus? = try PrivateBus()
        let socket = bus.map(socket(of:))
        bus = nil
        #expect(access(try #require(socket), F_OK) != 0)
    }

    @Test func twoBusesAreStrangers() throws {
        let (one, other) = (try PrivateBus(), try PrivateBus())
        #expect(one.address != other.address)
    }

    @Test func whatTheDaemonComplainsOfIsInTheError() {
        let error = #expect(throws: PrivateBusError.self) { try PrivateBus(limits: ["no_such_limit": 1]) }
        #expect(error?.description.contains("no_such_limit") == true, "\(error as Any)")
    }
}
