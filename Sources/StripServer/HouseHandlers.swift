import BlueZ
import FoundationEssentials
import HTTPServer
import StripAPI
import StripCore
import StripModel

/// What can be asked of the daemon as a whole.
struct HouseHandlers: Sendable {
    let registry: StripRegistry
    let bluez: BlueZClient

    func scan(_ request: HTTPRequest) async throws(Problem) -> HTTPResponse {
        let seconds = try request.decoded(ScanRequest.self).seconds ?? 5
        guard (1...60).contains(seconds) else {
            throw Problem(
                InvalidValue(
                    text: String(seconds), problem: "is out of range", accepted: "1 to 60 seconds", member: "seconds"))
        }
        do throws(FailureCause) {
            let heard = try await registry.scan(for: .seconds(seconds))
            var found: [FoundStrip] = []
            for device in heard {
                found.append(
                    FoundStrip(
                        device, known: await registry.knows(device.address),
                        alias: await registry.alias(of: device.address)))
            }
            return .json(ScanAnswer(found: found))
        } catch {
            throw Problem(failed: error, strip: nil)
        }
    }

    func adapters() async -> HTTPResponse { .json(AdapterList(adapters: await registry.adapters())) }

    func health() async -> HTTPResponse {
        var problems: [String] = []
        if let cause = await registry.unavailableCause() { problems.append(cause.explanation) }
        let storeProblem = await registry.storeProblem
        if let storeProblem { problems.append(storeProblem) }
        let bluetooth: Health.Bluetooth =
            switch await bluez.presence {
            case .present: .present
            case .absent: .absent
            case .noBus: .noBus
            case .notAllowed: .notAllowed
            }
        return .json(
            Health(
                status: problems.isEmpty ? .ok : .degraded, version: Version.current, bluetooth: bluetooth,
                adapters: await registry.adapters().count, strips: await registry.ordered.count, problems: problems,
                stateFile: storeProblem ?? "ok"))
    }

    /// A snapshot, then what changes, as server-sent events.
    func events() async -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")],
            body: .stream(EventText(events: await registry.hub.subscribe())))
    }
}
