/// Finds what is wrong with a request before its body is read: sizes, and framing that two readers could read in two
/// ways.
struct RequestCheck {
    let limits: WebServer.Limits

    struct Problem: Hashable {
        let status: Int
        let sentence: String
        init(_ status: Int, _ sentence: String) { (self.status, self.sentence) = (status, sentence) }
    }

    func problem(target: String, version: String, headers: HTTPHeaders) -> Problem? {
        if target.utf8.count > limits.targetBytes {
            return Problem(414, "The request target is longer than \(limits.targetBytes) bytes.")
        }
        guard target.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            return Problem(400, "The request target holds a byte that must be percent-encoded.")
        }
        return size(of: headers) ?? host(in: headers, version) ?? framing(in: headers)
    }

    private func size(of headers: HTTPHeaders) -> Problem? {
        if headers.count > limits.headerFields {
            return Problem(431, "There are more than \(limits.headerFields) header fields.")
        }
        var bytes = 0
        for (name, value) in headers {
            bytes += name.utf8.count + value.utf8.count + 4
            guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else {
                return Problem(400, "A header field's name is malformed.")
            }
        }
        return bytes > limits.headerBytes
            ? Problem(431, "The header fields are longer than \(limits.headerBytes) bytes.") : nil
    }

    private func host(in headers: HTTPHeaders, _ version: String) -> Problem? {
        let hosts = headers.count { $0.name == "host" }
        if hosts > 1 { return Problem(400, "There is more than one Host header.") }
        if hosts == 0, version != "HTTP/1.0" { return Problem(400, "The Host header is missing.") }
        return nil
    }

    /// RFC 9112, section 6: how long the body is must have one answer.
    private func framing(in headers: HTTPHeaders) -> Problem? {
        var length: String?
        var coding: String?
        for (name, value) in headers {
            switch name {
            case "content-length":
                if length != nil { return Problem(400, "There is more than one Content-Length header.") }
                length = value
            case "transfer-encoding":
                if coding != nil { return Problem(400, "There is more than one Transfer-Encoding header.") }
                coding = value
            default: break
            }
        }
        if let coding {
            if length != nil { return Problem(400, "Content-Length and Transfer-Encoding exclude each other.") }
            if coding.lowercased() != "chunked" {
                return Problem(501, "Of all transfer encodings only chunked is understood.")
            }
        }
        guard let length else { return nil }
        guard !length.isEmpty, length.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return Problem(400, "Content-Length is not a number.")
        }
        return Int(length).map { $0 <= limits.bodyBytes } == true ? nil : bodyTooLong
    }

    var bodyTooLong: Problem { Problem(413, "The body is longer than \(limits.bodyBytes) bytes.") }

    /// Splits a target into its path and its decoded query; nil if the query is malformed.
    static func split(target: String) -> (path: String, query: [(name: String, value: String)])? {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (target, []) }
        var query: [(name: String, value: String)] = []
        for pair in target.utf8[target.utf8.index(after: mark)...].split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            let value = equals.map { pair[pair.index(after: $0)...] } ?? pair.suffix(0)
            guard let name = formDecoded(pair[..<(equals ?? pair.endIndex)]), let value = formDecoded(value) else {
                return nil
            }
            query.append((name, value))
        }
        return (String(target[..<mark]), query)
    }

    private static func formDecoded(_ text: Substring.UTF8View) -> String? {
        percentDecoded(text.lazy.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
    }
}

/// RFC 9110, section 5.6.2.
private func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
