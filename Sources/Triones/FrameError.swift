/// Why bytes are not a frame: which byte, what was found there, what was expected.
public struct FrameError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Problem: Hashable, Sendable {
        /// `expected` names the frame that the first byte announced, with its length.
        case length(expected: String)
        case byte(offset: Int, expected: String)
    }

    /// The bytes that were refused.
    public let frame: [UInt8]
    public let problem: Problem

    public var description: String {
        switch problem {
        case .length(let expected):
            guard !frame.isEmpty else { return "empty frame: expected \(expected)" }
            return "\(quotedFrame): it has \(frame.count) byte\(frame.count == 1 ? "" : "s"), expected \(expected)"
        case .byte(let offset, let expected):
            return "\(quotedFrame): byte \(offset) is \(hexText(frame[offset])), expected \(expected)"
        }
    }

    /// A flood of bytes is cut, so that one line stays one line.
    private var quotedFrame: String {
        frame.count <= 24 ? hexText(frame) : hexText(frame.prefix(24)) + " ..."
    }
}

/// The checks that decoding is made of; each ends in a `FrameError` that quotes the whole frame.
extension Span where Element == UInt8 {
    func require(length: Int, _ frame: String) throws(FrameError) {
        guard count == length else { throw wrongLength("\(length) (\(frame))") }
    }

    func require(_ byte: UInt8, at offset: Int, _ meaning: String) throws(FrameError) {
        guard self[offset] == byte else { throw wrongByte(offset, "\(hexText(byte)) (\(meaning))") }
    }

    func wrongLength(_ expected: String) -> FrameError {
        FrameError(frame: copy(), problem: .length(expected: expected))
    }

    func wrongByte(_ offset: Int, _ expected: String) -> FrameError {
        FrameError(frame: copy(), problem: .byte(offset: offset, expected: expected))
    }

    func copy() -> [UInt8] { indices.map { self[$0] } }
}
