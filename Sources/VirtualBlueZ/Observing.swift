public import DBus

/// What tests and demonstrations may look at.
extension VirtualBlueZ {
    // MARK: Strips

    public var stripCount: Int { strips.count }

    public func description(of strip: Int) -> StripDescription { strips[strip].description }

    /// The light as it is, whatever the strip reports.
    public func state(of strip: Int) -> FirmwareState { strips[strip].firmware.state }

    public func shownColor(of strip: Int) -> LightSwatch {
        strips[strip].faults.powerCut ? .dark : strips[strip].firmware.state.swatch
    }

    public func isLinked(_ strip: Int) -> Bool { strips[strip].link != nil }

    public func log(of strip: Int) -> [StripLogEntry] { strips[strip].log.entries }

    /// Every frame that reached the strip, ignored or not, as in "56 ff 88 00 00 f0 aa".
    public func frames(of strip: Int) -> [String] { received(by: strip).map(\.description) }

    public func received(by strip: Int) -> [ReceivedFrame] {
        strips[strip].log.entries.compactMap { if case .frame(let frame) = $0.event { frame } else { nil } }
    }

    /// The strip's log from its beginning, and all that follows.
    public func events(of strip: Int) -> AsyncStream<StripLogEntry> {
        let (watcher, stream, sink) = strips[strip].log.stream()
        sink.onTermination = { [loop] _ in
            Task(executorPreference: loop) { await self.forgetWatcher(watcher, of: strip) }
        }
        return stream
    }

    /// Returns once `count` frames have reached the strip: all of them so far.
    @discardableResult
    public func frames(of strip: Int, atLeast count: Int) async -> [String] {
        for await _ in events(of: strip) where received(by: strip).count >= count { break }
        return frames(of: strip)
    }

    /// Returns once the strip's log holds an entry like this.
    public func wait(for strip: Int, _ isWanted: @Sendable (StripLogEntry.Event) -> Bool) async {
        for await entry in events(of: strip) where isWanted(entry.event) { break }
    }

    func log(_ strip: Int, _ event: StripLogEntry.Event) {
        strips[strip].log.append(StripLogEntry(time: now, event: event))
    }

    private func forgetWatcher(_ watcher: Int, of strip: Int) { strips[strip].log.forget(watcher) }

    // MARK: Calls

    /// Every call that clients made, in order.
    public var recordedCalls: [RecordedCall] { calls.entries }

    public func recordedCalls(_ members: String...) -> [RecordedCall] {
        calls.entries.filter { members.contains($0.member) }
    }

    /// The calls from the first one on, and all that follow.
    public func callEvents() -> AsyncStream<RecordedCall> {
        let (watcher, stream, sink) = calls.stream()
        sink.onTermination = { [loop] _ in Task(executorPreference: loop) { await self.forgetCallWatcher(watcher) } }
        return stream
    }

    /// Returns once `member` has been called `times` times.
    public func wait(forCalls member: String, times: Int = 1) async {
        var seen = 0
        for await call in callEvents() where call.member == member {
            seen += 1
            if seen >= times { break }
        }
    }

    private func forgetCallWatcher(_ watcher: Int) { calls.forget(watcher) }

    // MARK: bluetoothd

    public func isDiscovering(adapter index: Int) -> Bool { adapters[index].discovering }
    public func isPowered(adapter index: Int) -> Bool { adapters[index].powered }

    /// The object of a strip on an adapter, whether it exists or not.
    public func devicePath(of strip: Int, on adapter: Int = 0) -> ObjectPath { path(of: strip, on: adapter) }
}
