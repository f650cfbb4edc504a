import CommandLineTable
import EventLoop
import Glibc
import StripAPI
import StripCore

/// The daemon from its command line to its last line of log.
public enum Daemon {
    /// Each ends the daemon cleanly; SIGHUP says that the terminal that it was started from is gone.
    static let endingSignals = [SIGTERM, SIGINT, SIGHUP]

    /// - Returns: the exit status: 0 after a clean stop, 1 if it could not start, 2 for a wrong command line.
    public static func main(_ arguments: [String], environment: [String: String]) -> Int32 {
        let options: Options
        do throws(UsageError) {
            let parsed = try Options.program.parse(arguments)
            if parsed.has(Option.help) {
                writeAll(Options.program.help(), to: 1)
                return 0
            }
            if parsed.has(Option.version) {
                writeAll("stripd \(Version.current)\n", to: 1)
                return 0
            }
            options = try Options(parsed)
        } catch {
            writeAll(Options.program.explanation(of: error), to: 2)
            return 2
        }
        return run(options, environment)
    }

    private static func run(_ options: Options, _ environment: [String: String]) -> Int32 {
        let underJournal = environment["JOURNAL_STREAM"] != nil
        let log = Log(options.logLevel) { printLog($0, $1, underJournal: underJournal) }
        EventLoop.blockSignals(endingSignals)
        signal(SIGPIPE, SIG_IGN)
        do {
            let places = try Places(options: options, environment: environment, isRoot: geteuid() == 0)
            let bus = try BusAddress.chosen(by: options, environment)
            let loop = try EventLoop(name: "stripd")
            let life = Life(options: options, places: places, busAddress: bus, log: log, loop: loop)
            let status = Handover<Int32>()
            Task(executorPreference: loop) { status.give(await life.run()) }
            defer { loop.stop() }
            return status.take()
        } catch {
            log(.error, "\(error)")
            return 1
        }
    }
}
