import StripModel
import Testing
import Triones

@testable import StripCore

/// From a look to a command, and from a report back to a look.
@Suite struct LookTests {
    @Test("users.md 80: ff8800 at 1 % and back to 100 % is ff8800 exactly")
    func dimmedAndBack() {
        var look = Look(color: .orange)
        look.brightness = Percent(clamping: 1)
        #expect(look.command(hasWhiteChannel: false) == .color(red: 3, green: 1, blue: 0))
        let reported = look.reported(.showing(Color(red: 3, green: 1, blue: 0)), hasWhiteChannel: false)
        #expect(reported == look)
        look = reported
        look.brightness = .full
        #expect(look.command(hasWhiteChannel: false) == .color(red: 0xff, green: 0x88, blue: 0))
    }

    @Test("users.md 81, 83: at every brightness a report of what was asked for changes nothing")
    func everyBrightness() {
        for color in [Color.orange, .violet, .black, .white, Color(red: 1, green: 2, blue: 255)] {
            for value in 1...100 {
                let look = Look(color: color, brightness: Percent(clamping: value))
                let shown = color.scaled(to: look.brightness)
                #expect(look.reported(.showing(shown), hasWhiteChannel: false) == look)
                #expect((shown.red == 0) == (color.red == 0))
            }
        }
    }

    @Test func aWhiteLevelComesBackAsItWas() {
        for value in 1...100 {
            let look = Look(white: Percent(clamping: value), shine: .white)
            #expect(Percent(byte: look.white.byte) == look.white)
            guard case .white(let level)? = look.command(hasWhiteChannel: true) else {
                Issue.record("white at \(value) % is no white command")
                continue
            }
            #expect(level > 0)
            #expect(look.reported(.showing(.black, white: level), hasWhiteChannel: true) == look)
        }
    }

    @Test("users.md 101: a speed comes back as it was")
    func everySpeed() {
        for value in 1...100 {
            let look = Look(speed: Percent(clamping: value), shine: .effect(Effect.all[0]))
            guard case .effect(let code, let speed)? = look.command(hasWhiteChannel: false) else {
                Issue.record("speed \(value) % is no effect command")
                continue
            }
            #expect(code.rawValue == 0x25)
            #expect((0x01...0x1f).contains(speed.rawValue))
            #expect(look.reported(.showing(mode: 0x25, speed: speed.rawValue), hasWhiteChannel: false) == look)
        }
    }

    @Test func anotherColourBecomesTheBaseAtFullBrightness() {
        let look = Look(color: .orange, brightness: .half)
        let reported = look.reported(.showing(.violet), hasWhiteChannel: false)
        #expect(reported == Look(color: .violet))
    }

    @Test func mixedWhiteThatIsReportedStaysWhite() {
        let look = Look(white: .half, shine: .white)
        let grey = Color(red: 0x80, green: 0x80, blue: 0x80)
        #expect(look.reported(.showing(grey), hasWhiteChannel: false) == look)
        #expect(look.reported(.showing(grey), hasWhiteChannel: true) == look)
    }

    @Test func whiteThatSomeoneElseSetIsShownAsWhite() {
        let reported = Look(color: .orange).reported(.showing(.black, white: 0x80), hasWhiteChannel: true)
        #expect(reported == Look(color: .orange, white: .half, shine: .white))
    }

    @Test("users.md 104: an effect that someone else started, and a mode without a name")
    func modes() {
        let look = Look(color: .orange)
        let effect = look.reported(.showing(.orange, mode: 0x61, speed: 0x01), hasWhiteChannel: false)
        #expect(effect.shine == .effect(Effect.all[20]))
        #expect(effect.speed == .full)
        #expect(effect.color == .orange)
        let unknown = look.reported(.showing(.orange, mode: 0xa1), hasWhiteChannel: false)
        #expect(unknown.shine == .unknown(mode: 0xa1))
        #expect(unknown.color == .orange)
        #expect(unknown.command(hasWhiteChannel: false) == nil)
    }

    @Test func aColourThatIsTheSameAsBeforeAnEffectKeepsItsBrightness() {
        let look = Look(color: .orange, brightness: .half, shine: .effect(Effect.all[0]))
        let shown = Color.orange.scaled(to: .half)
        #expect(look.reported(.showing(shown), hasWhiteChannel: false) == Look(color: .orange, brightness: .half))
    }

    @Test func aSpeedOfZeroIsNotTakenOver() {
        let look = Look(shine: .effect(Effect.all[0]))
        #expect(look.reported(.showing(mode: 0x26, speed: 0x00), hasWhiteChannel: false).speed == look.speed)
    }
}
