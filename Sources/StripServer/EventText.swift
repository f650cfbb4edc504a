import StripAPI
import StripCore
import StripModel

/// Events as `text/event-stream` has them (WHATWG HTML, "Server-sent events"). A comment fills each pause, so that a
/// client that went away is noticed.
struct EventText: AsyncSequence, Sendable {
    typealias Failure = Never
    let events: HubEvents

    func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: HubEvents.Iterator

        mutating func next() async -> [UInt8]? { await events.next().map(text) }
        mutating func next(isolation actor: isolated (any Actor)?) async -> [UInt8]? { await events.next().map(text) }

        private func text(_ event: HubEvent) -> [UInt8] {
            switch event {
            case .quiet: Array(": still here\n\n".utf8)
            case .event(.snapshot(let strips)): line(.snapshot, encoded(StripList(strips: strips)))
            case .event(.strip(let strip)): line(.strip, encoded(strip))
            case .event(.removed(let id)): line(.removed, encoded(Removed(id: id)))
            case .event(.adapter(let adapter)): line(.adapter, encoded(adapter))
            }
        }

        private func line(_ name: EventName, _ data: [UInt8]) -> [UInt8] {
            Array("event: \(name.rawValue)\ndata: ".utf8) + data + [0x0A, 0x0A]
        }
    }
}
