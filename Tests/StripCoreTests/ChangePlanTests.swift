import StripModel
import Testing
import Triones

@testable import StripCore

/// What a change comes to on one strip, down to the frames of a dry run.
@Suite struct ChangePlanTests {
    private func plan(
        _ change: StripChange, on look: Look = Look(), power: Power? = nil, hasWhiteChannel: Bool = false
    ) throws -> ChangePlan {
        try ChangePlan(change, wanted: look, power: power, hasWhiteChannel: hasWhiteChannel)
    }

    private func frames(_ plan: ChangePlan, known: Power? = nil) -> [String] {
        let fact = known.map { WriteQueue.PowerFact(power: $0, at: .zero) }
        return plan.frames(known: fact, at: .zero, timing: Timing()).map(\.description)
    }

    // MARK: Dry runs

    @Test(
        "A dry run's frames",
        arguments: [
            (StripChange(on: true), nil, ["cc 23 33"]),
            (StripChange(on: false), nil, ["cc 24 33"]),
            (StripChange(on: true), Power.on, ["cc 23 33"]),
            (StripChange(color: .orange), nil, ["cc 23 33", "56 ff 88 00 00 f0 aa"]),
            (StripChange(color: .orange), .on, ["56 ff 88 00 00 f0 aa"]),
            (StripChange(color: .orange), .off, ["56 ff 88 00 00 f0 aa", "cc 23 33", "56 ff 88 00 00 f0 aa"]),
            (StripChange(color: .orange, keepPower: true), .off, ["56 ff 88 00 00 f0 aa"]),
            (StripChange(on: true, color: .orange), .on, ["cc 23 33", "56 ff 88 00 00 f0 aa"]),
            (StripChange(on: false, color: .orange), .on, ["56 ff 88 00 00 f0 aa", "cc 24 33"]),
            (StripChange(color: .orange, brightness: .absolute(.half)), .on, ["56 80 44 00 00 f0 aa"]),
            (StripChange(brightness: .absolute(.half)), .off, ["56 80 80 80 00 f0 aa"]),
            (StripChange(effect: .run(Effect.all[0])), .on, ["bb 25 10 44"]),
            (StripChange(effect: .run(Effect.all[0]), speed: .absolute(.full)), nil, ["cc 23 33", "bb 25 01 44"]),
            (StripChange(white: .absolute(.full)), .on, ["56 ff ff ff 00 f0 aa"]),
            (StripChange(white: .absolute(.full), channel: true), .on, ["56 00 00 00 ff 0f aa"]),
        ] as [(StripChange, Power?, [String])])
    func dryRun(change: StripChange, known: Power?, expected: [String]) throws {
        #expect(frames(try plan(change, power: known), known: known) == expected)
    }

    @Test(
        "users.md 86: grey and black are colours, whether or not there is a white channel",
        arguments: [
            (Color(red: 0x80, green: 0x80, blue: 0x80), "56 80 80 80 00 f0 aa"),
            (.black, "56 00 00 00 00 f0 aa"),
        ])
    func grey(color: Color, frame: String) throws {
        for hasWhiteChannel in [false, true] {
            let plan = try plan(StripChange(color: color, keepPower: true), hasWhiteChannel: hasWhiteChannel)
            #expect(frames(plan) == [frame])
        }
    }

    // MARK: White

    @Test func whiteIsMixedAndSaidToBeWhereNoWhiteLEDsAreKnown() throws {
        let plan = try plan(StripChange(white: .absolute(.full)))
        #expect(plan.light == .color(red: 255, green: 255, blue: 255))
        #expect(!plan.hasWhiteChannel)
        #expect(plan.notes.count == 1)
        #expect(plan.notes.first?.contains("--channel") == true)
    }

    @Test func whiteUsesTheWhiteLEDsThatAreKnown() throws {
        let plan = try plan(StripChange(white: .absolute(.half)), hasWhiteChannel: true)
        #expect(plan.light == .white(0x80))
        #expect(plan.notes.isEmpty)
    }

    @Test func theWhiteChannelIsRemembered() throws {
        #expect(try plan(StripChange(white: .absolute(.half), channel: true)).hasWhiteChannel)
    }

    @Test func brightnessOfWhiteIsItsLevel() throws {
        let white = Look(white: .full, shine: .white)
        let plan = try plan(StripChange(brightness: .absolute(.half)), on: white, power: .on, hasWhiteChannel: true)
        #expect(plan.light == .white(0x80))
        #expect(plan.look.brightness == .full)
        #expect(plan.notes.isEmpty)
    }

    // MARK: Effects

    private let fading = Look(color: .orange, shine: .effect(Effect.all[0]))

    @Test("users.md 84: effects cannot be dimmed: the brightness is kept, and the effect")
    func dimmedEffect() throws {
        let plan = try plan(StripChange(brightness: .absolute(.half)), on: fading, power: .on)
        #expect(plan.light == nil)
        #expect(plan.look.brightness == .half)
        #expect(plan.look.shine == fading.shine)
        #expect(plan.notes == ["effects cannot be dimmed: 50 % is kept for the next colour"])
        #expect(frames(plan, known: .on) == [])
        let next = try self.plan(StripChange(color: .orange), on: plan.look, power: .on)
        #expect(frames(next, known: .on) == ["56 80 44 00 00 f0 aa"])
    }

    @Test func aModeWithoutANameCannotBeDimmedEither() throws {
        let plan = try plan(StripChange(brightness: .absolute(.half)), on: Look(shine: .unknown(mode: 0xa1)))
        #expect(plan.light == nil)
        #expect(plan.notes == ["mode 161 of this strip cannot be dimmed: 50 % is kept for the next colour"])
    }

    @Test("users.md 102: the speed of a running effect can be set alone")
    func speedAlone() throws {
        let plan = try plan(StripChange(speed: .absolute(.full)), on: fading, power: .on)
        #expect(frames(plan, known: .on) == ["bb 25 01 44"])
        #expect(!plan.impliesOn)
    }

    @Test("users.md 102: speed alone is refused where no effect runs")
    func speedWithoutEffect() {
        #expect(throws: InvalidValue.self) { try plan(StripChange(speed: .absolute(.full))) }
        #expect(throws: InvalidValue.self) {
            try plan(StripChange(color: .orange, speed: .absolute(.full)), on: fading)
        }
    }

    @Test func endingAnEffectShowsTheColourOfBefore() throws {
        let plan = try plan(StripChange(effect: .stop), on: fading, power: .on)
        #expect(frames(plan, known: .on) == ["56 ff 88 00 00 f0 aa"])
    }

    @Test func endingAnEffectThatDoesNotRunLeavesWhiteAlone() throws {
        let white = Look(white: .full, shine: .white)
        #expect(try plan(StripChange(effect: .stop), on: white, hasWhiteChannel: true).light == .white(0xff))
    }

    // MARK: Relative values

    @Test(
        "Relative values start from what is wanted, and end at 1 and 100",
        arguments: [
            (50, 10, 60), (95, 10, 100), (5, -10, 1), (1, 100, 100),
        ])
    func relative(from: Int, step: Int, to: Int) throws {
        let look = Look(color: .orange, brightness: Percent(clamping: from))
        let plan = try plan(StripChange(brightness: .relative(step)), on: look, power: .on)
        #expect(plan.look.brightness.value == to)
        #expect(plan.look.color == .orange)
    }

    @Test func theSpeedTooCanBeStepped() throws {
        let plan = try plan(StripChange(speed: .relative(-10)), on: fading)
        #expect(plan.look.speed.value == 40)
    }

    // MARK: Power

    @Test func brightnessAndSpeedDoNotSwitchOnAndSayWhenItWillShow() throws {
        let plan = try plan(StripChange(brightness: .absolute(.half)), on: Look(color: .orange), power: .off)
        #expect(!plan.impliesOn)
        #expect(plan.notes == ["the strip is off: this shows when it is switched on"])
    }

    @Test(
        "Colour, white and effect switch on",
        arguments: [
            StripChange(color: .orange), StripChange(white: .absolute(.half)), StripChange(effect: .run(Effect.all[0])),
        ])
    func impliesOn(change: StripChange) throws {
        #expect(try plan(change).impliesOn)
        var kept = change
        kept.keepPower = true
        #expect(try !plan(kept).impliesOn)
    }

    @Test(
        "What cannot be worked out without a report",
        arguments: [
            (StripChange(brightness: .relative(10)), true),
            (StripChange(brightness: .absolute(.half)), true),
            (StripChange(speed: .absolute(.half)), true),
            (StripChange(color: .orange, brightness: .relative(10)), false),
            (StripChange(on: true), false),
        ])
    func needsKnowledge(change: StripChange, needs: Bool) {
        #expect(ChangePlan.needsKnowledge(change) == needs)
    }
}
