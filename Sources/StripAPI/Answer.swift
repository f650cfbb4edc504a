// What a request that names strips can be answered with, told apart by the members that are there.

import FoundationEssentials
public import StripModel

public enum Answer: Sendable, Hashable {
    case outcome(Outcome)
    case outcomes(OutcomeList)
    case strips([StripView])
    case dryRun(DryRun)

    /// Reads the body of a successful answer.
    public init(_ body: [UInt8]) throws(ClientError) {
        do {
            self = try JSONDecoder().decode(Answer.self, from: Data(body))
        } catch {
            throw .malformed("its answer is not what this version of stripctl knows (\(error))")
        }
    }
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

extension Problem {
    /// As a body; the members in alphabetical order.
    public var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map(Array.init) ?? []  // it holds nothing that has no JSON
    }

    /// The problem in the body of an answer, or one that says what came instead.
    public init(_ response: Response) {
        let problem = try? JSONDecoder().decode(Problem.self, from: Data(response.body))  // else it is described below
        if let problem {
            self = problem
        } else {
            self.init(.failed, "the daemon answered with status \(response.status) and no explanation")
            status = response.status
        }
    }
}

/// Decodes any shape of the API, with the client's own error.
public func decode<Shape: Decodable>(_ shape: Shape.Type, from body: [UInt8]) throws(ClientError) -> Shape {
    do {
        return try JSONDecoder().decode(shape, from: Data(body))
    } catch {
        throw .malformed("its answer is not what this version of stripctl knows (\(error))")
    }
}
