/// What is simulated: adapters, and the strips (and other devices) within their range.
public struct World: Sendable {
    public var adapters: [AdapterDescription]
    public var strips: [StripDescription]
    public var timing: VirtualTiming

    public init(
        adapters: [AdapterDescription] = [AdapterDescription()], strips: [StripDescription],
        timing: VirtualTiming = .recorded
    ) {
        self.adapters = adapters
        self.strips = strips
        self.timing = timing
    }

    /// Strips of the default kind, told apart by their addresses.
    public init(strips count: Int, timing: VirtualTiming = .recorded) {
        self.init(strips: (0..<max(count, 0)).map { StripDescription(index: $0) }, timing: timing)
    }
}

/// One adapter of the host.
public struct AdapterDescription: Sendable {
    /// The N in hciN.
    public var number: Int
    public var address: String
    public var alias = "simulated"
    public var powered = true
    /// How many links it can hold at once.
    public var maxLinks = 8
    /// Reports each advertisement once a scan, as most controllers do; a `Connect` during discovery then waits for the
    /// next scan.
    public var filtersDuplicates = true

    public init(number: Int = 0, address: String? = nil) {
        self.number = number
        self.address = address ?? "00:1A:7D:DA:71:" + hex(UInt8(truncatingIfNeeded: 0x13 + number)).uppercased()
    }
}

/// One strip, or another device that happens to be in range.
public struct StripDescription: Sendable {
    public enum AddressType: String, Sendable { case `public`, random }

    /// Where a device keeps its commands and reports; `other` is not a strip at all.
    public enum Layout: Sendable { case ffd, ffe, other }

    /// How FFD9 (or FFE9) may be written.
    public enum WriteFlags: Sendable {
        case requestAndCommand, commandOnly, requestOnly

        var texts: [String] {
            switch self {
            case .requestAndCommand: ["write-without-response", "write"]
            case .commandOnly: ["write-without-response"]
            case .requestOnly: ["write"]
            }
        }
    }

    /// Upper case, with colons.
    public var address: String
    public var addressType = AddressType.public
    /// As advertised; `nil` if none is.
    public var name: String?
    /// As read from the strip after connecting; `nil`: the same as the advertised one.
    public var gapName: String?
    /// Advertised 16-bit service UUIDs.
    public var uuids: [UInt16] = []
    public var rssi: Int16 = -60
    public var layout = Layout.ffd
    public var writeFlags = WriteFlags.requestAndCommand
    public var quirks: Set<Quirk> = []
    /// Bytes 1 and 10 of the status.
    public var model: UInt8 = 0x15
    public var version: UInt8 = 6
    /// The light when the simulation begins.
    public var state = FirmwareState()
    /// A report shows the light as it was this long ago.
    public var lag = Duration.zero
    /// The numbers (`hciN`) of the adapters that hear it; `nil`: all of them.
    public var heardBy: Set<Int>?
    /// The ATT handle of its first service, which is part of its objects' paths.
    public var firstHandle: UInt16 = 0x000c

    public init(address: String, name: String?) {
        self.address = address.uppercased()
        self.name = name
    }

    /// `Triones-FFFF385B4065` at FF:FF:38:5B:40:65, and on from there.
    public init(index: Int) {
        let tail = UInt16(truncatingIfNeeded: 0x4065 + index)
        let octets = [0xFF, 0xFF, 0x38, 0x5B, UInt8(tail >> 8), UInt8(truncatingIfNeeded: tail)].map {
            hex($0).uppercased()
        }
        self.init(address: octets.joined(separator: ":"), name: "Triones-" + octets.joined())
        rssi = -52 - Int16(truncatingIfNeeded: index % 8) * 5
    }
}

/// A way in which some strips differ from the others.
public enum Quirk: String, Sendable, CaseIterable {
    /// Colour, white and effects are ignored while off.
    case offDeaf = "off-deaf"
    /// Never answers a status request.
    case statusMute = "status-mute"
    /// Obeys power only when written with response.
    case powerRequest = "power-request"
    /// Reports red and green exchanged.
    case lie
    /// Has no white LEDs: a white frame makes it dark.
    case rgbOnly = "rgb-only"
    /// Deaf until it has got a frame `FB … FA`.
    case locked
    /// Answers the discovery of secondary services with ATT error code 0: BlueZ then finds no service at all.
    case attError0 = "att-error-0"
    /// Does not answer timer requests.
    case noTimers = "no-timers"
    /// Acknowledges power with a notification `CC 23 00 00`.
    case powerAck = "power-ack"
    /// Advertises no LE-only flag: bluetoothd pages it over classic Bluetooth, in vain, and `Connect` is never answered.
    case brEDR = "br-edr"
}

func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

/// "56 ff 88 00 00 f0 aa"
func hex(_ bytes: [UInt8]) -> String { bytes.map(hex).joined(separator: " ") }
