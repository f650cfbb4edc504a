import Glibc
import StripServer

/// stripd: drives Bluetooth LE RGB strips through BlueZ and serves them over HTTP on a Unix socket.
@main struct Main {
    static func main() {
        var environment: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { environment[String(pair[0])] = String(pair[1]) }
            entry += 1
        }
        exit(Daemon.main(Array(CommandLine.arguments.dropFirst()), environment: environment))
    }
}
