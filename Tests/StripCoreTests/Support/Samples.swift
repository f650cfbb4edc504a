import BlueZ
import DBus
import StripModel
import Triones

@testable import StripCore

/// The strip of the examples, as BlueZ names it, and where it takes commands.
let desk: ObjectPath = "/org/bluez/hci0/dev_FF_FF_38_5B_40_65"
let report: ObjectPath = "/org/bluez/hci0/dev_FF_FF_38_5B_40_65/service000f/char0010"
let places = Endpoints(
    write: "/org/bluez/hci0/dev_FF_FF_38_5B_40_65/service000c/char000d", writeTypes: .both, report: report)
let deafPlaces = Endpoints(write: places.write, writeTypes: .both, report: nil)

extension Color {
    static let orange = Color(red: 0xff, green: 0x88, blue: 0x00)
    static let violet = Color(red: 0x5a, green: 0x00, blue: 0x9d)
    static let black = Color(red: 0, green: 0, blue: 0)
}

extension WriteQueue.Light {
    /// As a colour command has it.
    init(_ color: Color) {
        let look = Look(color: color)
        self.init(command: .color(red: color.red, green: color.green, blue: color.blue), look: look)
    }
}

extension Status {
    /// What a strip reports that shows `color`.
    static func showing(
        _ color: Color = .black, power: Power? = .on, white: UInt8 = 0, mode: UInt8 = 0x41, speed: UInt8 = 0x01,
        model: UInt8 = 0x04
    ) -> Status {
        Status(
            model: model, power: power, mode: Mode(rawValue: mode), speed: speed, red: color.red, green: color.green,
            blue: color.blue, white: white, version: 3)
    }
}

extension WriteQueue.Light {
    static let orange = WriteQueue.Light(.orange)
    static let violet = WriteQueue.Light(.violet)
    static let black = WriteQueue.Light(.black)
}
