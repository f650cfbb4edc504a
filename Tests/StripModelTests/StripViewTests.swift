import FoundationEssentials
import StripModel
import Testing

@Suite struct StripViewTests {
    @Test("users.md 123: every member is there, null where it is not known")
    func unknownIsNull() throws {
        let view = StripView(id: try BluetoothAddress(parsing: "ff:ff:38:5b:40:65"))
        #expect(
            try json(view)
                == #"{"adapter":null,"alias":null,"available":null,"brightness":null,"cause":null,"#
                + #""certainty":{"light":{"at":null,"is":"unknown"},"power":{"at":null,"is":"unknown"}},"color":null,"#
                + #""default":false,"effect":null,"id":"ff:ff:38:5b:40:65","link":"idle","model":null,"name":null,"on":null,"#
                + #""pending":false,"rssi":null,"speed":null,"white":null}"#)
    }

    @Test func knownIsShown() throws {
        let at = Date(timeIntervalSince1970: 1_796_090_584)
        var view = StripView(
            id: try BluetoothAddress(parsing: "ff:ff:38:5b:40:65"), alias: try Alias(parsing: "desk"),
            name: "Triones-FFFF385B4065", model: "0x04", available: true, link: .backingOff, cause: .outOfRange,
            rssi: -60,
            adapter: "hci0", pending: true, isDefault: true, on: true, color: try Color(parsing: "ff8800"),
            brightness: .full, white: Percent(30), effect: "0x39", speed: Percent(50))
        view.certainty = StripCertainty(power: Knowledge(is: .reported, at: at), light: Knowledge(is: .assumed, at: at))
        #expect(
            try json(view)
                == #"{"adapter":"hci0","alias":"desk","available":true,"brightness":100,"cause":"out-of-range","#
                + #""certainty":{"light":{"at":"2026-12-01T02:03:04Z","is":"assumed"},"#
                + #""power":{"at":"2026-12-01T02:03:04Z","is":"reported"}},"color":"ff8800","#
                + #""default":true,"effect":"0x39","id":"ff:ff:38:5b:40:65","link":"backing-off","model":"0x04","#
                + #""name":"Triones-FFFF385B4065","on":true,"pending":true,"rssi":-60,"speed":50,"white":30}"#)
        #expect(try JSONDecoder().decode(StripView.self, from: JSONEncoder().encode(view)) == view)
    }

    @Test func aDateLosesNoMoreThanItsFraction() throws {
        let knowledge = Knowledge(is: .reported, at: Date(timeIntervalSince1970: 1_796_090_584.9))
        #expect(try json(knowledge) == #"{"at":"2026-12-01T02:03:04Z","is":"reported"}"#)
    }

    @Test func anAdapterHasSnakeCase() throws {
        let adapter = AdapterView(
            name: "hci0", address: try BluetoothAddress(parsing: "00:11:22:33:44:55"), powered: true,
            discovering: false, inUse: true)
        #expect(
            try json(adapter)
                == #"{"address":"00:11:22:33:44:55","discovering":false,"in_use":true,"name":"hci0","powered":true}"#)
    }

    @Test func causesAndPhasesHaveStableNamesAndAnExplanation() {
        #expect(
            FailureCause.allCases.map(\.rawValue) == [
                "out-of-range", "timed-out", "no-adapter", "adapter-off", "no-bluetooth-service", "not-allowed",
                "refused",
                "no-services", "not-a-strip", "write-refused", "no-answer", "released", "forgotten", "stopping",
                "nothing-to-change", "failed",
            ])
        #expect(
            LinkPhase.allCases.map(\.rawValue) == [
                "idle", "waiting", "connecting", "resolving", "ready", "releasing", "backing-off", "unavailable",
            ])
        #expect(Set(FailureCause.allCases.map(\.explanation)).count == FailureCause.allCases.count)
        for cause in FailureCause.allCases { #expect(cause.explanation.hasSuffix(".")) }
    }

    @Test("users.md 41, 46: an explanation says what to try")
    func explanationsHelp() {
        #expect(FailureCause.outOfRange.explanation.contains("phone app that may be connected"))
        #expect(FailureCause.noServices.explanation.contains("some firmware confuses BlueZ"))
    }

    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
