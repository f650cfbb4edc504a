// The routes of the REST API, once: the server dispatches on them, the client builds its paths from them, and the
// description of the API is checked against them.

/// One thing that can be asked of the daemon over HTTP.
public enum Route: String, CaseIterable, Sendable {
    case strips, strip, change, toggle, release, refresh, adopt, alias, makeDefault, forget
    case effects, scan, adapters, events, health

    /// One line of the table.
    public struct Row: Sendable {
        /// The methods that lead here; the first is the one that our client uses.
        public let methods: [String]
        /// The path; `{id}` stands for a target: an alias, an address, a group, `all`, `default`, or several of them with
        /// commas between. `{address}` stands for one Bluetooth address.
        public let template: String
        public let meaning: String
    }

    public var row: Row {
        switch self {
        case .strips: Row(methods: ["GET"], template: "/v1/strips", meaning: "All known strips.")
        case .strip:
            Row(
                methods: ["GET"], template: "/v1/strips/{id}",
                meaning: "One strip, or a list if the target names several.")
        case .change:
            Row(
                methods: ["PATCH", "POST"], template: "/v1/strips/{id}",
                meaning:
                    "Change the light. wait=SECONDS holds the answer until it is written, dry_run=1 only lists the frames."
            )
        case .toggle:
            Row(
                methods: ["POST"], template: "/v1/strips/{id}/toggle",
                meaning:
                    "On becomes off, off becomes on. wait=SECONDS as for a change; deadline=SECONDS is how long it may take."
            )
        case .release: Row(methods: ["POST"], template: "/v1/strips/{id}/release", meaning: "Give the link back.")
        case .refresh:
            Row(methods: ["POST"], template: "/v1/strips/{id}/refresh", meaning: "Ask the strip for its state.")
        case .adopt:
            Row(
                methods: ["PUT"], template: "/v1/strips/{address}",
                meaning: "Take a strip in, with an alias if one is given.")
        case .alias: Row(methods: ["PUT"], template: "/v1/strips/{id}/alias", meaning: "Give a strip another name.")
        case .makeDefault:
            Row(
                methods: ["PUT"], template: "/v1/strips/{id}/default",
                meaning: "Make this the strip that is meant when none is named.")
        case .forget: Row(methods: ["DELETE"], template: "/v1/strips/{id}", meaning: "Forget a strip.")
        case .effects: Row(methods: ["GET"], template: "/v1/effects", meaning: "The effects built into the strips.")
        case .scan: Row(methods: ["POST"], template: "/v1/scan", meaning: "Listen for strips nearby.")
        case .adapters: Row(methods: ["GET"], template: "/v1/adapters", meaning: "The host's Bluetooth adapters.")
        case .events:
            Row(
                methods: ["GET"], template: "/v1/events",
                meaning: "What changes, as server-sent events; a snapshot comes first.")
        case .health: Row(methods: ["GET"], template: "/v1/health", meaning: "How the daemon is.")
        }
    }
}

extension Route {
    /// What a method and a path lead to.
    public enum Match: Hashable, Sendable {
        /// `parameter` is the value of `{id}` or `{address}`, decoded.
        case found(Route, parameter: String?)
        case methodNotAllowed(allowed: [String])
        case notFound
    }

    /// Finds the route for a method and a path given as its decoded segments (`["v1", "strips", "desk"]`). HEAD is GET.
    public static func match(method: String, segments: [String]) -> Match {
        var allowed: [String] = []
        for (route, methods, template) in table where template.count == segments.count {
            var parameter: String?
            var fits = true
            for (part, segment) in zip(template, segments) {
                if let part { fits = fits && part == segment } else { parameter = segment }
            }
            guard fits else { continue }
            if methods.contains(method == "HEAD" ? "GET" : method) { return .found(route, parameter: parameter) }
            allowed += methods
        }
        return allowed.isEmpty ? .notFound : .methodNotAllowed(allowed: allowed)
    }

    /// The templates cut at their slashes, once; `nil` stands for the parameter.
    private static let table: [(Route, methods: [String], template: [String?])] = allCases.map { route in
        let row = route.row
        return (route, row.methods, row.template.split(separator: "/").map { $0.first == "{" ? nil : String($0) })
    }

    /// The path of this route for these targets, percent-encoded, with commas between them.
    public func path(_ targets: [String] = []) -> String {
        let template = row.template
        guard let open = template.firstIndex(of: "{"), let close = template.firstIndex(of: "}") else { return template }
        let parameter = targets.map(percentEncoded).joined(separator: ",")
        return template[..<open] + parameter + template[template.index(after: close)...]
    }

    public var method: String { row.methods.first ?? "GET" }
}

/// Text as it may stand in one segment of a path (RFC 3986 unreserved characters and the colon stay).
func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var out: [UInt8] = []
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: ":"):
            out.append(byte)
        default:
            out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
    return String(decoding: out, as: UTF8.self)
}
