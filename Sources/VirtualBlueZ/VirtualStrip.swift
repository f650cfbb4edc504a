import DBus

/// One strip in the air: its firmware, its link, and what is wrong with it just now.
struct VirtualStrip: Sendable {
    var description: StripDescription
    var firmware: StripFirmware
    var log = Log<StripLogEntry>()
    /// The device object that holds its only link.
    var link: ObjectPath?
    /// BlueZ wrote to the CCCD on this link.
    var subscribed = false
    /// It takes a moment to advertise again after a link.
    var resting = false
    var faults = Faults()

    struct Faults: Sendable {
        var silent = false
        var powerCut = false
        var refusals = 0
        var refusal = ConnectRefusal.noAnswer
        var unansweredConnects = 0
        var swallow = 0  // -1: all
        var notifyDelay = Duration.zero
        var writeDelay = Duration.zero
        var attMute = false
        var writeError: (code: UInt8, times: Int)?
        var emptyResolutions = 0
        var missingResolutions = 0
        var objectsLate: Duration?
    }

    init(_ description: StripDescription) {
        self.description = description
        firmware = StripFirmware(description)
    }

    var advertises: Bool { link == nil && !resting && !faults.silent && !faults.powerCut }
}
