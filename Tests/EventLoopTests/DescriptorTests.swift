import EventLoop
import Glibc
import Testing

@Suite struct DescriptorTests {
    @Test func aReadableDescriptorCallsItsHandler() async throws {
        let seen = try await onLoop { loop in
            let (pipe, log) = (try Pipe(), Log())
            loop.watch(pipe.ours, for: .readable) { events in
                pipe.drain()
                log.add(events == .readable ? "readable" : "\(events)")
            }
            pipe.send()
            defer {
                loop.unwatch(pipe.ours)
                pipe.end()
            }
            return await log.first(1)
        }
        #expect(seen == ["readable"])
    }

    @Test func aHangUpIsReportedUnasked() async throws {
        let seen = try await onLoop { loop in
            let (pipe, log) = (try Pipe(), Log())
            loop.watch(pipe.ours, for: []) { events in
                loop.unwatch(pipe.ours)
                log.add(events.contains(.hangUp) ? "hung up" : "\(events)")
            }
            close(pipe.theirs)
            defer { close(pipe.ours) }
            return await log.first(1)
        }
        #expect(seen == ["hung up"])
    }

    @Test func watchingAgainReplacesEventsAndHandler() async throws {
        let seen = try await onLoop { loop in
            let (pipe, log) = (try Pipe(), Log())
            loop.watch(pipe.ours, for: .readable) { _ in log.add("old") }
            loop.watch(pipe.ours, for: .writable) { _ in
                log.add("new")
                loop.unwatch(pipe.ours)
            }
            pipe.send()
            defer { pipe.end() }
            return await log.first(1)
        }
        #expect(seen == ["new"])
    }

    @Test func ofTwoReadyHandlersTheFirstMayRemoveTheOther() async throws {
        let seen = try await onLoop { loop in
            let (one, other, log) = (try Pipe(), try Pipe(), Log())
            for (mine, its) in [(one, other), (other, one)] {
                loop.watch(mine.ours, for: .readable) { _ in
                    mine.drain()
                    loop.unwatch(its.ours)
                    log.add("one")
                }
            }
            one.send()
            other.send()
            loop.schedule(after: .milliseconds(2)) { log.add("later") }
            defer {
                for pipe in [one, other] {
                    loop.unwatch(pipe.ours)
                    pipe.end()
                }
            }
            return await log.first(2)
        }
        #expect(seen == ["one", "later"])
    }

    @Test func whatWasReadyOnAClosedDescriptorIsNotTakenForItsSuccessor() async throws {
        let seen = try await onLoop { loop in
            let (one, other, log) = (try Pipe(), try Pipe(), Log())
            let fresh = Mutable<Pipe?>(nil)
            // Whichever comes first closes the other's descriptor and watches a new file with the same number.
            for (mine, its) in [(one, other), (other, one)] {
                loop.watch(mine.ours, for: .readable) { _ in
                    mine.drain()
                    loop.unwatch(its.ours)
                    guard fresh.value == nil, let pipe = try? Pipe() else { return log.add("no sockets") }
                    fresh.value = pipe
                    dup2(pipe.ours, its.ours)
                    loop.watch(its.ours, for: .readable) { _ in log.add("mistaken") }
                    log.add("replaced")
                }
            }
            one.send()
            other.send()
            loop.schedule(after: .milliseconds(2)) { log.add("later") }
            defer {
                for pipe in [one, other] {
                    loop.unwatch(pipe.ours)
                    pipe.end()
                }
                fresh.value?.end()
            }
            return await log.first(2)
        }
        #expect(seen == ["replaced", "later"])
    }

    @Test func aNumberThatWasClosedUnderTheWatchCanBeWatchedAgain() async throws {
        let seen = try await onLoop { loop in
            let (old, fresh, log) = (try Pipe(), try Pipe(), Log())
            loop.watch(old.ours, for: .readable) { _ in log.add("old") }
            dup2(fresh.ours, old.ours)  // closes it behind the loop's back
            loop.watch(old.ours, for: .readable) { _ in
                loop.unwatch(old.ours)
                log.add("new")
            }
            fresh.send()
            defer {
                old.end()
                fresh.end()
            }
            return await log.first(1)
        }
        #expect(seen == ["new"])
    }
}
