import BlueZ
import EventLoop
import HTTPServer
import StripAPI
import StripCore
import StripModel

/// What can be asked of the daemon as a whole.
struct HouseHandlers: Sendable {
    let registry: StripRegistry
    let bluez: BlueZClient
    let stateDirectory: String
    /// A stream of events that has nothing to say says so this often.
    var heartbeat = Duration.seconds(15)

    static let mostStreams = 64

    func scan(_ request: HTTPRequest) async throws(Problem) -> HTTPResponse {
        let seconds = try request.members(["seconds"]).wholeNumber("seconds", in: 1...60) ?? 5
        let heard: [HeardDevice]
        do throws(FailureCause) {
            heard = try await registry.scan(for: .seconds(seconds))
        } catch {
            throw Problem(failed: error, strip: nil)
        }
        var answer = ScanAnswer(found: [])
        for device in heard {
            let alias = await registry.alias(of: device.address)
            answer.found.append(FoundStrip(device, known: await registry.knows(device.address), alias: alias))
        }
        return .json(answer)
    }

    func adapters() async -> HTTPResponse { .json(AdapterList(adapters: await registry.adapters())) }

    func health() async -> HTTPResponse {
        let storeProblem = await registry.storeProblem ?? problem(withDirectory: stateDirectory)
        let reach = Reach(registry: registry, bluez: bluez)
        let problems = [await reach.problem(), storeProblem].compactMap(\.self)
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
    func events(_ request: HTTPRequest) async throws(Problem) -> HTTPResponse {
        let headers = [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")]
        guard request.method != "HEAD" else { return HTTPResponse(status: 200, headers: headers) }
        guard await registry.hub.subscriberCount < Self.mostStreams else {
            throw Problem(.busy, "\(Self.mostStreams) clients follow the events already; try again when one has gone")
        }
        let events = await registry.hub.subscribe(pause: heartbeat)
        return HTTPResponse(status: 200, headers: headers, body: .stream(EventText(events: events)))
    }
}
