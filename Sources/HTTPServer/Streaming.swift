import EventLoop

/// Streamed answers: a task pulls the sequence, MHD takes what was pulled, and neither runs ahead of the other.
extension WebServer {
    /// MHD wants up to `buffer.count` bytes; it asks again once it has written what it got. `-1` ends the stream.
    func read(_ place: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let client = clients[place], let exchange = client.exchange, case .streaming(let flow) = exchange.stage
        else { return -1 }
        switch flow {
        case .unopened(let chunks):
            guard phase == .serving else { return -1 }
            exchange.stage = .streaming(.dry)
            watchForHangUp(client)
            exchange.work = Task.immediate(executorPreference: loop) { await self.pull(chunks, for: exchange) }
            if case .streaming(.dry) = exchange.stage { return wait(client) }
            return read(place, into: buffer)
        case .dry: return wait(client)
        case .full(let bytes, let taken, let puller):
            let count = min(buffer.count, bytes.count - taken)
            bytes.withUnsafeBytes {
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[taken..<taken + count]))
            }
            let all = taken + count == bytes.count
            exchange.stage = .streaming(
                all ? .handedOver(puller: puller) : .full(bytes, taken: taken + count, puller: puller))
            setDeadline(client, after: limits.idleTime)
            return count
        case .handedOver(let puller):
            guard phase == .serving else {
                exchange.stage = .streaming(.ended)
                puller.resume()
                return -1
            }
            exchange.stage = .streaming(.dry)
            puller.resume()
            return wait(client)
        case .ended: return -1
        }
    }

    /// Suspends: else MHD would ask again and again.
    private func wait(_ client: Client) -> Int {
        client.deadline = nil
        suspend(client)
        return 0
    }

    private func pull(_ chunks: any AsyncSequence<[UInt8], Never> & Sendable, for exchange: Exchange) async {
        for await chunk in chunks where !chunk.isEmpty {
            guard case .streaming(.dry) = exchange.stage else { return }
            await withCheckedContinuation { puller in
                exchange.stage = .streaming(.full(chunk, taken: 0, puller: puller))
                wake(exchange.client)
            }
            // Nobody may want more by now. The sequence is asked even so, and learns that the task is cancelled.
        }
        guard case .streaming(.dry) = exchange.stage else { return }
        exchange.stage = .streaming(.ended)
        wake(exchange.client)
    }

    /// Ends a stream as soon as what was pulled of it has been sent.
    func endStream(_ client: Client) {
        guard let exchange = client.exchange, case .streaming(let flow) = exchange.stage else { return }
        exchange.work?.cancel()
        switch flow {
        case .unopened, .dry:
            exchange.stage = .streaming(.ended)
            wake(client)
        case .full, .handedOver, .ended: break  // `read` goes on from here
        }
    }

    /// Lets go of a puller that nobody will answer any more.
    func release(_ flow: Exchange.Flow) {
        switch flow {
        case .full(_, _, let puller), .handedOver(let puller): puller.resume()
        case .unopened, .dry, .ended: break
        }
    }

    /// A suspended connection is out of MHD's sight, and a stream may be silent for long. On a Unix socket a client
    /// that goes is a hang-up at once; on TCP it is one after the first write that it no longer takes.
    private func watchForHangUp(_ client: Client) {
        loop.watch(client.descriptor, for: []) { [unowned self, place = client.place] _ in
            self.assumeIsolated { $0.hungUp(place) }
        }
    }

    private func hungUp(_ place: Int) {
        guard let client = clients[place] else { return }
        loop.unwatch(client.descriptor)  // it would be reported for ever
        endStream(client)
    }
}
