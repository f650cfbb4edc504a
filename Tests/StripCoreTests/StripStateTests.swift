import FoundationEssentials
import StripModel
import Testing
import Triones

@testable import StripCore

/// What is believed of a strip, and how well it is known.
@Suite struct StripStateTests {
    private let now = Date(timeIntervalSince1970: 1_796_090_584)
    private var fresh: StripState { StripState(look: nil, hasWhiteChannel: false, model: nil) }

    @Test("users.md 98: after a start nothing is known, whatever was kept")
    func afterAStart() {
        for look in [nil, Look(color: .orange)] {
            let state = StripState(look: look, hasWhiteChannel: false, model: 0x04)
            #expect(state.power == nil)
            #expect(state.powerKnowledge == Knowledge(is: .unknown, at: nil))
            #expect(state.lightKnowledge == Knowledge(is: .unknown, at: nil))
            #expect(!state.knowsLight)
            #expect(state.hasLook == (look != nil))
        }
    }

    @Test func whatWasWrittenIsAssumed() {
        var state = fresh
        state.assume(Power.on, at: now)
        state.assume(Look(color: .orange), at: now)
        #expect(state.power == .on)
        #expect(state.powerKnowledge == Knowledge(is: .assumed, at: now))
        #expect(state.look.color == .orange)
        #expect(state.lightKnowledge == Knowledge(is: .assumed, at: now))
    }

    @Test func whatWasReportedIsReported() {
        var state = fresh
        state.merge(.showing(.orange, model: 0x04), believing: .all, at: now)
        #expect(state.power == .on)
        #expect(state.powerKnowledge == Knowledge(is: .reported, at: now))
        #expect(state.look.color == .orange)
        #expect(state.lightKnowledge == Knowledge(is: .reported, at: now))
        #expect(state.model == 0x04)
        #expect(!state.hasWhiteChannel)
    }

    @Test("users.md 65: an acknowledged power is reported")
    func acknowledged() {
        var state = fresh
        state.confirm(.off, at: now)
        #expect(state.power == .off)
        #expect(state.powerKnowledge == Knowledge(is: .reported, at: now))
        #expect(!state.knowsLight)
    }

    @Test func whatIsNotToBeBelievedStaysAsItWas() {
        var state = fresh
        state.assume(Power.off, at: now)
        state.assume(Look(color: .violet), at: now)
        state.merge(.showing(.orange), believing: ReadBack.Belief(power: false, light: false), at: now)
        #expect(state.power == .off)
        #expect(state.powerKnowledge.is == .assumed)
        #expect(state.look.color == .violet)
        #expect(state.lightKnowledge.is == .assumed)
    }

    @Test("users.md 63: a report that says neither on nor off leaves power unknown")
    func neitherOnNorOff() {
        var state = fresh
        state.assume(Power.on, at: now)
        state.merge(.showing(.orange, power: nil), believing: .all, at: now)
        #expect(state.power == nil)
        #expect(state.powerKnowledge.is == .unknown)
    }

    @Test(
        "A white channel is known by the model or by a level above 0",
        arguments: [
            (Status.showing(model: 0x04), false), (.showing(model: 0x14), true), (.showing(model: 0x15), true),
            (.showing(white: 1, model: 0x04), true), (.showing(model: 0xe3), false),
        ])
    func whiteChannel(status: Status, has: Bool) {
        var state = fresh
        state.merge(status, believing: .all, at: now)
        #expect(state.hasWhiteChannel == has)
        state.merge(.showing(model: 0x04), believing: .all, at: now)
        #expect(state.hasWhiteChannel == has)
    }

    @Test("users.md 64: all model bytes are taken alike", arguments: [UInt8(0x04), 0x10, 0x15, 0x54, 0xe3])
    func models(model: UInt8) {
        var state = fresh
        state.merge(.showing(.orange, model: model), believing: .all, at: now)
        #expect(state.look.color == .orange)
        #expect(state.model == model)
    }

    @Test func valuesForLaterAreKeptAndTellNothing() {
        var state = fresh
        state.remember(Look(brightness: .half))
        #expect(state.hasLook)
        #expect(!state.knowsLight)
    }
}
