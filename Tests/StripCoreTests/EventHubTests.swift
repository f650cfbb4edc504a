import EventLoop
import StripModel
import Testing

@testable import StripCore

/// What subscribers are told: the snapshot, the last state of each strip, the end.
@Suite struct EventHubTests {
    private let desk = BluetoothAddress("ff:ff:38:5b:40:65")
    private let shelf = BluetoothAddress("ff:ff:38:5b:40:66")

    /// Runs `body` with a hub on a loop of its own.
    private func withHub(_ body: @escaping @Sendable (EventHub) async throws -> Void) async throws {
        let loop = try EventLoop(name: "hub")
        defer { loop.stop() }
        try await Task(executorPreference: loop) { try await body(EventHub(on: loop)) }.value
    }

    private func view(_ address: BluetoothAddress?, _ percent: Int) throws -> StripView {
        StripView(id: try #require(address), brightness: Percent(clamping: percent))
    }

    @Test func aSubscriberGetsASnapshotInTheOrderOfAddresses() async throws {
        let (one, other) = (try view(desk, 1), try view(shelf, 2))
        try await withHub { hub in
            await hub.post(other)
            await hub.post(one)
            var events = await hub.subscribe().makeAsyncIterator()
            #expect(await events.next() == .event(.snapshot([one, other])))
        }
    }

    @Test func aSlowReaderGetsTheLastStateOfEachStripOnce() async throws {
        let (one, other) = (try (1...50).map { try view(desk, $0) }, try (1...50).map { try view(shelf, $0) })
        try await withHub { hub in
            var events = await hub.subscribe().makeAsyncIterator()
            #expect(await events.next() == .event(.snapshot([])))
            for (view, another) in zip(one, other) {
                await hub.post(view)
                await hub.post(another)
            }
            #expect(await events.next() == one.last.map { .event(.strip($0)) })
            #expect(await events.next() == other.last.map { .event(.strip($0)) })
            await hub.finish()
            #expect(await events.next() == nil)
        }
    }

    @Test func whatHappensBeforeTheSnapshotIsReadIsPartOfIt() async throws {
        let view = try view(desk, 1)
        try await withHub { hub in
            var events = await hub.subscribe(pause: .zero).makeAsyncIterator()
            await hub.post(view)
            #expect(await events.next() == .event(.snapshot([view])))
            #expect(await events.next() == .quiet)
        }
    }

    @Test func aViewThatSaysTheSameIsNoEvent() async throws {
        let view = try view(desk, 1)
        try await withHub { hub in
            await hub.post(view)
            var events = await hub.subscribe(pause: .zero).makeAsyncIterator()
            _ = await events.next()
            await hub.post(view)
            #expect(await events.next() == .quiet)
        }
    }

    @Test func aRemovedStripIsToldOfAndOneThatCameBackIsThere() async throws {
        let (one, other) = (try view(desk, 1), try view(shelf, 2))
        try await withHub { hub in
            await hub.post(one)
            await hub.post(other)
            var events = await hub.subscribe().makeAsyncIterator()
            _ = await events.next()
            await hub.remove(one.id)
            await hub.remove(other.id)
            await hub.post(other)
            #expect(await events.next() == .event(.removed(one.id)))
            #expect(await events.next() == .event(.strip(other)))
        }
    }

    @Test func whatIsNotThereIsNotRemoved() async throws {
        let address = try #require(desk)
        try await withHub { hub in
            var events = await hub.subscribe(pause: .zero).makeAsyncIterator()
            _ = await events.next()
            await hub.remove(address)
            #expect(await events.next() == .quiet)
        }
    }

    @Test func adaptersFollowTheSnapshotAndThenTheirChanges() async throws {
        let address = try #require(BluetoothAddress("aa:bb:cc:00:00:01"))
        let on = AdapterView(name: "hci0", address: address, powered: true, discovering: false, inUse: true)
        var off = on
        off.powered = false
        let switchedOff = off
        try await withHub { hub in
            await hub.post(on)
            var events = await hub.subscribe(pause: .zero).makeAsyncIterator()
            #expect(await events.next() == .event(.snapshot([])))
            #expect(await events.next() == .event(.adapter(on)))
            await hub.post(on)
            #expect(await events.next() == .quiet)
            await hub.post(switchedOff)
            #expect(await events.next() == .event(.adapter(switchedOff)))
        }
    }

    @Test func aWaitingReaderIsWokenByTheChange() async throws {
        let view = try view(desk, 1)
        try await withHub { hub in
            var events = await hub.subscribe().makeAsyncIterator()
            _ = await events.next()
            async let posted: Void = hub.post(view)
            #expect(await events.next() == .event(.strip(view)))
            await posted
        }
    }

    @Test func theEndOfTheHubEndsEverySubscriptionAndEveryLaterOne() async throws {
        try await withHub { hub in
            var waiting = await hub.subscribe().makeAsyncIterator()
            _ = await waiting.next()
            async let finished: Void = hub.finish()
            #expect(await waiting.next() == nil)
            await finished
            var late = await hub.subscribe().makeAsyncIterator()
            #expect(await late.next() == nil)
            #expect(await hub.subscriberCount == 0)
        }
    }

    @Test func droppingASubscriptionUnsubscribes() async throws {
        try await withHub { hub in
            do {
                let events = await hub.subscribe()
                #expect(await hub.subscriberCount == 1)
                _ = events
            }
            while await hub.subscriberCount > 0 { await Task.yield() }
        }
    }

    @Test func aCancelledReaderUnsubscribes() async throws {
        try await withHub { hub in
            let (started, sink) = AsyncStream.makeStream(of: Void.self)
            let reader = Task {
                var events = await hub.subscribe().makeAsyncIterator()
                _ = await events.next()
                sink.finish()
                return await events.next()
            }
            for await _ in started {}
            reader.cancel()
            #expect(await reader.value == nil)
            while await hub.subscriberCount > 0 { await Task.yield() }
        }
    }
}
