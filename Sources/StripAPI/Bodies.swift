// From the bytes of a body to the shapes of the API and back, as the client needs them.

import FoundationEssentials

/// Decodes any shape of the API, with the client's own error.
public func decode<Shape: Decodable>(_ shape: Shape.Type, from body: [UInt8]) throws(ClientError) -> Shape {
    do {
        return try JSONDecoder().decode(shape, from: Data(body))
    } catch {
        throw .malformed("its answer is not what this version of stripctl knows (\(error))")
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
