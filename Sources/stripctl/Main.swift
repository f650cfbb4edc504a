// stripctl: everything is in StripCommands.

import Glibc
import StripCommands

@main struct Main {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        exit(Stripctl.run(words, in: .ofThisProcess()).rawValue)
    }
}
