import StripAPI
import StripModel

/// The numbers that scripts rely on. They do not change between releases.
public enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    case failed = 1
    case usage = 2
    case noSuchStrip = 3
    case unreachable = 4
    case outOfRange = 5
    case timedOut = 6
    case notAllowed = 7
    case noAdapter = 8
    case badConfiguration = 78

    var meaning: String {
        switch self {
        case .done: "done"
        case .failed: "failed for at least one target"
        case .usage: "the command line is wrong"
        case .noSuchStrip: "no such target, or none could be chosen"
        case .unreachable: "the daemon cannot be reached"
        case .outOfRange: "the strip is out of range"
        case .timedOut: "timed out"
        case .notAllowed: "not allowed"
        case .noAdapter: "no Bluetooth adapter, or it is off"
        case .badConfiguration: "the configuration is wrong"
        }
    }
}

extension ExitCode {
    init(_ cause: FailureCause) {
        switch cause {
        case .outOfRange: self = .outOfRange
        case .timedOut, .noAnswer: self = .timedOut
        case .noAdapter, .adapterOff, .noBluetoothService: self = .noAdapter
        case .notAllowed: self = .notAllowed
        case .refused, .noServices, .notAStrip, .writeRefused, .released, .forgotten, .stopping, .nothingToChange,
            .failed:
            self = .failed
        }
    }

    init(_ problem: Problem) {
        if let cause = problem.cause {
            self.init(cause)
            return
        }
        switch problem.kind {
        case .noSuchStrip, .ambiguousTarget, .noDefault, .noneFound, .severalFound: self = .noSuchStrip
        case .badValue, .unknownMember: self = .usage
        case .forbidden, .refusedOrigin: self = .notAllowed
        default: self = .failed
        }
    }

    init(_ error: ClientError) {
        switch error {
        case .unreachable: self = .unreachable
        case .notAllowed: self = .notAllowed
        case .timedOut: self = .timedOut
        case .badPath: self = .usage
        case .broken, .endedEarly, .malformed, .tooLarge: self = .failed
        }
    }
}
