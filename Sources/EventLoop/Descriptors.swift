import CLinux

/// What a descriptor is ready for; the epoll mask as it is.
public struct DescriptorEvents: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let readable = DescriptorEvents(rawValue: EPOLLIN.rawValue)
    public static let writable = DescriptorEvents(rawValue: EPOLLOUT.rawValue)
    /// Always reported, asked for or not.
    public static let error = DescriptorEvents(rawValue: EPOLLERR.rawValue)
    /// Always reported, asked for or not.
    public static let hangUp = DescriptorEvents(rawValue: EPOLLHUP.rawValue)
}

/// The handlers of watched descriptors, found by the tag that epoll hands back.
///
/// A tag names one registration, not the descriptor's number: what was ready on a descriptor that an earlier handler of
/// the same turn closed is not taken for the new file that got its number.
struct WatchTable {
    typealias Handler = @Sendable (DescriptorEvents) -> Void

    static let wakeTag = UInt64.max

    private var watches: [Int32: (generation: UInt32, handler: Handler)] = [:]
    private var lastGeneration: UInt32 = 0

    /// An existing registration keeps its tag.
    mutating func insert(_ descriptor: Int32, _ handler: @escaping Handler) -> (tag: UInt64, isNew: Bool) {
        let old = watches[descriptor]
        if old == nil { lastGeneration &+= 1 }
        let generation = old?.generation ?? lastGeneration
        watches[descriptor] = (generation, handler)
        return (UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor)), old == nil)
    }

    mutating func remove(_ descriptor: Int32) -> Bool { watches.removeValue(forKey: descriptor) != nil }

    func handler(for tag: UInt64) -> Handler? {
        let watch = watches[Int32(truncatingIfNeeded: tag)]
        return watch?.generation == UInt32(tag >> 32) ? watch?.handler : nil
    }
}
