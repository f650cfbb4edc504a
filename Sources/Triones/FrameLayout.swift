/// The fixed bytes of the family's frames, for encoding and decoding alike. `Protocol/triones.md` has the tables.
enum FrameLayout {
    static let powerHead: UInt8 = 0xcc
    static let powerTail: UInt8 = 0x33

    static let lightHead: UInt8 = 0x56
    static let lightTail: UInt8 = 0xaa
    /// The colour channels count.
    static let colorMask: UInt8 = 0xf0
    /// The white channel counts.
    static let whiteMask: UInt8 = 0x0f

    static let effectHead: UInt8 = 0xbb
    static let effectTail: UInt8 = 0x44

    static let query: InlineArray<3, UInt8> = [0xef, 0x01, 0x77]

    static let unlock: InlineArray<18, UInt8> = [
        0xfb, 0x02, 0x05, 0x05, 0x0f, 0x08, 0x23, 0x01, 0x02, 0x00, 0x05, 0x55, 0x22, 0x01, 0x12, 0x13, 0x14, 0xfa,
    ]

    static let statusHead: UInt8 = 0x66
    static let statusTail: UInt8 = 0x99
    /// The mode byte of a strip that shows a colour or white.
    static let stillMode: UInt8 = 0x41
}
