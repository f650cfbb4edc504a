public import StripModel

/// What a request that names strips can be answered with, told apart by the members that are there.
public enum Answer: Sendable, Hashable {
    case outcome(Outcome)
    case outcomes(OutcomeList)
    case strips([StripView])
    case dryRun(DryRun)
}

extension Answer: Decodable {
    private enum Member: String, CodingKey { case results, outcome, strips, frames }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        if members.contains(.results) {
            self = .outcomes(try OutcomeList(from: decoder))
        } else if members.contains(.outcome) {
            self = .outcome(try Outcome(from: decoder))
        } else if members.contains(.strips) {
            self = .strips(try StripList(from: decoder).strips)
        } else if members.contains(.frames) {
            self = .dryRun(try DryRun(from: decoder))
        } else {
            self = .strips([try StripView(from: decoder)])
        }
    }
}
