import FoundationEssentials
import HTTPServer
import StripAPI
import StripModel

extension HTTPResponse {
    /// A JSON body. Members come sorted, so that the same state is the same text.
    static func json(_ value: some Encodable, status: Int = 200) -> HTTPResponse {
        body(status, value, type: "application/json", extra: [])
    }

    static func problem(_ problem: Problem, extra: [(String, String)] = []) -> HTTPResponse {
        body(problem.status, problem, type: Problem.mediaType, extra: extra)
    }

    private static func body(
        _ status: Int, _ value: some Encodable, type: String, extra: [(String, String)]
    ) -> HTTPResponse {
        let headers = [
            ("Content-Type", type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
        ]
        return HTTPResponse(status: status, headers: headers + extra, body: .bytes(encoded(value) + [0x0A]))
    }
}

/// JSON on one line.
func encoded(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
        return Array(try encoder.encode(value))
    } catch {
        // Only a number that JSON cannot express could fail, and no shape of the API holds a fraction.
        return Array(#"{"type":"urn:stripd:internal-error","status":500}"#.utf8)
    }
}

extension HTTPRequest {
    /// The body as a value; an empty one is an empty object.
    func decoded<Value: Decodable>(_ type: Value.Type) throws(Problem) -> Value {
        let text = body.isEmpty ? Array("{}".utf8) : body
        do {
            return try JSONDecoder().decode(type, from: Data(text))
        } catch let error as InvalidValue {
            throw Problem(error)
        } catch let error as DecodingError {
            throw Problem(error)
        } catch {
            throw Problem(.malformed, "the body is not JSON: \(error)")
        }
    }

    /// A duration in the query, in seconds.
    func seconds(_ name: String, upTo limit: Double) throws(Problem) -> Duration? {
        guard let text = queryValue(name) else { return nil }
        guard let seconds = Double(text), seconds >= 0, seconds <= limit else {
            throw Problem(
                InvalidValue(
                    text: text, problem: "is not a number of seconds from 0 to \(Int(limit))", accepted: "wait=20",
                    member: name))
        }
        return .seconds(seconds)
    }
}

extension Problem {
    init(_ error: InvalidValue) {
        let kind: Kind = error.problem.contains("is not a member") ? .unknownMember : .badValue
        self.init(
            kind, "\(error)", errors: error.member.map { [Mistake(member: $0, detail: "\(error)")] },
            suggestions: error.suggestions.isEmpty ? nil : error.suggestions)
    }

    init(_ error: DecodingError) {
        switch error {
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            self.init(.malformed, "the body is not JSON: \(context.debugDescription)")
        case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
            .valueNotFound(_, let context):
            let member = context.codingPath.map(\.stringValue).joined(separator: ".")
            self.init(
                .badValue, "\(member.isEmpty ? "the body" : member): \(context.debugDescription)",
                errors: member.isEmpty ? nil : [Mistake(member: member, detail: context.debugDescription)])
        @unknown default: self.init(.malformed, "the body cannot be read: \(error)")
        }
    }
}
