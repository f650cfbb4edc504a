/// Header fields in the order in which they were sent, duplicates kept, names in lower case.
///
/// A request has a handful of them, so that a walk is quicker than a dictionary is to build.
public struct HTTPHeaders: Sendable {
    private(set) var fields: [(name: String, value: String)] = []

    public init() {}

    /// The first value of `name`, which must be in lower case.
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Every value of `name`, which must be in lower case.
    public func values(of name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    public mutating func append(_ name: String, _ value: String) { fields.append((name.lowercased(), value)) }

    /// For a name that is in lower case already.
    mutating func append(lowercased name: String, _ value: String) { fields.append((name, value)) }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }
}

extension HTTPHeaders: RandomAccessCollection {
    public var startIndex: Int { fields.startIndex }
    public var endIndex: Int { fields.endIndex }
    public subscript(position: Int) -> (name: String, value: String) { fields[position] }
}
