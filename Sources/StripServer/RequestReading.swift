import FoundationEssentials
import HTTPServer
import StripAPI
import StripModel

// What handlers read out of a request; each mistake in it becomes a `Problem` that names and quotes it.

extension HTTPRequest {
    func change() throws(Problem) -> StripChange {
        do throws(InvalidValue) {
            return try StripChange(json: body.isEmpty ? Array("{}".utf8) : body)
        } catch {
            throw Problem(error)
        }
    }

    /// The body as an object that has none but these members. No body is an empty object.
    func members(_ known: [String]) throws(Problem) -> BodyMembers {
        guard !body.isEmpty else { return BodyMembers() }
        let members: [String: JSONValue]
        do {
            members = try JSONDecoder().decode([String: JSONValue].self, from: Data(body))
        } catch {
            throw notAnObject
        }
        if hasTrailingComma(in: body) { throw notAnObject }
        for name in members.keys.sorted() where !known.contains(name) {
            throw Problem(
                InvalidValue(
                    text: name, problem: "is not a member here", accepted: known.joined(separator: ", "),
                    suggestions: suggestions(for: name, among: known), member: name, fault: .unknownMember))
        }
        if let name = repeatedMember(in: body) {
            throw Problem(
                InvalidValue(
                    text: name, problem: "is there more than once", accepted: "each member once", member: name))
        }
        return BodyMembers(values: members)
    }

    private var notAnObject: Problem {
        Problem(
            InvalidValue(
                text: String(decoding: body.prefix(200), as: UTF8.self), problem: "is not an object in JSON",
                accepted: #"an object such as {"alias": "desk"}"#, fault: .syntax))
    }

    /// A duration in the query, in seconds.
    func seconds(_ name: String) throws(Problem) -> Duration? {
        guard let text = queryValue(name) else { return nil }
        let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        guard isPlain, let seconds = Double(text), seconds <= 60 else {
            throw Problem(
                InvalidValue(
                    text: text, problem: "is not a number of seconds", accepted: "0 to 60, as in \(name)=20",
                    member: name))
        }
        return .seconds(seconds)
    }

    func flag(_ name: String) throws(Problem) -> Bool {
        switch queryValue(name) {
        case nil, "0", "false": return false
        case "1", "true": return true
        case .some(let text):
            throw Problem(
                InvalidValue(
                    text: text, problem: "is neither yes nor no", accepted: "\(name)=1 or \(name)=0", member: name))
        }
    }
}

/// The members of a small body.
struct BodyMembers: Sendable {
    var values: [String: JSONValue] = [:]

    /// `nil` if there is no such member, `.some(nil)` if it is null.
    func alias() throws(Problem) -> Alias?? {
        switch values["alias"] {
        case nil: return nil
        case .null?: return .some(nil)
        case .string(let text)?:
            do throws(InvalidValue) {
                return try Alias(parsing: text)
            } catch {
                throw Problem(error, member: "alias")
            }
        case .some(let found): throw wrong(found, "alias", "is \(found.kind), not a string", "desk")
        }
    }

    func wholeNumber(_ member: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        let accepted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        switch values[member] {
        case nil: return nil
        case .integer(let number)? where range.contains(number): return number
        case .integer(let number)?: throw wrong(.integer(number), member, "is out of range", accepted)
        case .some(let found): throw wrong(found, member, "is \(found.kind), not a whole number", accepted)
        }
    }

    private func wrong(_ found: JSONValue, _ member: String, _ problem: String, _ accepted: String) -> Problem {
        Problem(InvalidValue(text: found.text, problem: problem, accepted: accepted, member: member))
    }
}

extension Problem {
    init(_ error: InvalidValue) { self.init(error, member: error.member) }

    fileprivate init(_ error: InvalidValue, member: String?) {
        let kind: Kind =
            switch error.fault {
            case .value: .badValue
            case .unknownMember: .unknownMember
            case .syntax: .malformed
            }
        self.init(
            kind, "\(error)", errors: member.map { [Mistake(member: $0, detail: "\(error)")] },
            suggestions: error.suggestions.isEmpty ? nil : error.suggestions)
    }
}
