import CDBus

/// The path of an object on a bus, well-formed by construction: libdbus ends the process when it is handed a
/// malformed one.
public struct ObjectPath: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// `nil` unless `text` is a valid object path (D-Bus specification, "Valid Object Paths").
    public init?(_ text: String) {
        guard !text.utf8.contains(0), dbus_validate_path(text, nil) != 0 else { return nil }
        self.text = text
    }

    /// For a path that comes out of a message, where libdbus has checked it.
    init(checked text: String) { self.text = text }

    public var description: String { text }

    /// The part after the last slash; empty for the root.
    public var lastComponent: Substring {
        text.dropFirst((text.lastIndex(of: "/").map { text.distance(from: text.startIndex, to: $0) } ?? -1) + 1)
    }

    /// The path one level up; `nil` for the root.
    public var parent: ObjectPath? {
        guard text != "/", let slash = text.lastIndex(of: "/") else { return nil }
        return ObjectPath(checked: slash == text.startIndex ? "/" : String(text[..<slash]))
    }

    /// Whether `other` is this path or lies below it.
    public func contains(_ other: ObjectPath) -> Bool {
        other.text.hasPrefix(text)
            && (text == "/" || other.text.utf8.count == text.utf8.count
                || other.text.utf8.dropFirst(text.utf8.count).first == UInt8(ascii: "/"))
    }
}

extension ObjectPath: ExpressibleByStringLiteral {
    /// A literal in the source is a mistake of ours if it is malformed: it traps.
    public init(stringLiteral text: String) {
        guard let path = ObjectPath(text) else { preconditionFailure("malformed object path \(text)") }
        self = path
    }
}
