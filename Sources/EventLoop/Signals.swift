import CLinux
import Glibc

// Process signals (SIGTERM and its kind), as the loop hears them.

extension EventLoop {
    /// Keeps the signals from interrupting this thread and all that it starts from now on. To be called first thing in
    /// `main`, before any other thread exists: a signal takes its default action, which is to end the process, as soon
    /// as one thread has it unblocked.
    public static func blockSignals(_ numbers: [Int32]) {
        var set = sigset_t(numbers)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// The signals among `numbers` as they arrive, from the moment this returns. They have to be blocked
    /// (`blockSignals`). The system merges a signal that is sent twice before it is read; a reader that falls behind
    /// by more than 16 loses the oldest. Dropping the stream ends the watch and leaves the signals blocked.
    public func signals(_ numbers: [Int32]) throws(Errno) -> AsyncStream<Int32> {
        checkIsolated()
        var set = sigset_t(numbers)
        let descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        guard descriptor >= 0 else { throw Errno.last }
        let (stream, sink) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingNewest(16))
        watch(descriptor, for: .readable) { _ in
            var arrived = signalfd_siginfo()
            while read(descriptor, &arrived, MemoryLayout<signalfd_siginfo>.size) > 0 {
                sink.yield(Int32(arrived.ssi_signo))
            }
        }
        sink.onTermination = { _ in
            Task(executorPreference: self) {
                self.unwatch(descriptor)
                close(descriptor)
            }
        }
        return stream
    }
}

extension sigset_t {
    fileprivate init(_ numbers: [Int32]) {
        self.init()
        sigemptyset(&self)
        for number in numbers { sigaddset(&self, number) }
    }
}
