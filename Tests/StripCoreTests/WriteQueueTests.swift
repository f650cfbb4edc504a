import StripModel
import Testing
import Triones

@testable import StripCore

/// The order on the wire, the pace, and what becomes of wishes that others take the place of.
@Suite struct WriteQueueTests {
    // MARK: Order

    private let knownOn = WriteQueue.PowerFact(power: .on, at: .zero)
    private let knownOff = WriteQueue.PowerFact(power: .off, at: .zero)

    @Test func onLightOffQueryIsTheOrderOnTheWire() {
        var desk = Writer()
        desk.queue.addQuery()
        #expect(desk.add(1, light: .orange) == [])
        #expect(desk.add(2, power: .off) == [])
        #expect(desk.write() == ["56 ff 88 00 00 f0 aa", "cc 24 33", "ef 01 77"])
        #expect(desk.ended == ["1 written", "2 written"])
    }

    @Test func aColourSwitchesOnFirstIfNothingIsKnown() {
        var desk = Writer()
        desk.add(1, light: .orange, impliesOn: true)
        #expect(desk.write() == ["cc 23 33", "56 ff 88 00 00 f0 aa"])
        #expect(desk.ended == ["1 written"])
    }

    @Test("users.md 93: from a known off it is light, on, light")
    func fromOff() {
        var desk = Writer(known: knownOff)
        desk.add(1, light: .orange, impliesOn: true)
        #expect(desk.write() == ["56 ff 88 00 00 f0 aa", "cc 23 33", "56 ff 88 00 00 f0 aa"])
        #expect(desk.ended == ["1 written"])
    }

    @Test("users.md 93: the light alone where power is to be kept")
    func powerKept() {
        var desk = Writer(known: knownOff)
        desk.add(1, light: .orange, impliesOn: false)
        #expect(desk.write() == ["56 ff 88 00 00 f0 aa"])
        #expect(desk.ended == ["1 written"])
    }

    @Test("users.md 91: color, off, on sends power alone for the last two")
    func powerAlone() {
        var desk = Writer()
        desk.add(1, light: .orange, impliesOn: true)
        _ = desk.write()
        desk.add(2, power: .off)
        #expect(desk.write() == ["cc 24 33"])
        desk.add(3, power: .on)
        #expect(desk.write() == ["cc 23 33"])
        #expect(desk.ended == ["1 written", "2 written", "3 written"])
    }

    @Test(
        "An implied on is left out for 2 s after on was written or reported",
        arguments: [
            (Duration.milliseconds(2000), ["56 ff 88 00 00 f0 aa"]),
            (Duration.milliseconds(2001), ["cc 23 33", "56 ff 88 00 00 f0 aa"]),
        ])
    func impliedOn(now: Duration, frames: [String]) {
        var desk = Writer(known: knownOn)
        desk.now = now
        desk.add(1, light: .orange, impliesOn: true)
        #expect(desk.write() == frames)
        #expect(desk.ended == ["1 written"])
    }

    @Test("users.md 94: an on that was asked for is always sent")
    func explicitOn() {
        var desk = Writer(known: knownOn)
        desk.add(1, power: .on)
        #expect(desk.write() == ["cc 23 33"])
    }

    @Test("users.md 94: an on that was asked for is sent although a colour came after it")
    func explicitOnThenColour() {
        var desk = Writer(known: knownOn)
        desk.add(1, power: .on)
        desk.add(2, light: .orange, impliesOn: true)
        #expect(desk.write() == ["cc 23 33", "56 ff 88 00 00 f0 aa"])
        #expect(desk.ended == ["1 superseded", "2 written"])
    }

    @Test func aColourAfterAWaitingOffSwitchesOnAlthoughOnIsKnown() {
        var desk = Writer(known: knownOn)
        desk.add(1, power: .off)
        desk.add(2, light: .orange, impliesOn: true)
        #expect(desk.write() == ["cc 23 33", "56 ff 88 00 00 f0 aa"])
        #expect(desk.ended == ["1 superseded", "2 written"])
    }

    @Test func anOffAfterAWaitingColourIsWrittenLast() {
        var desk = Writer(known: knownOff)
        desk.add(1, light: .orange, impliesOn: true)
        desk.add(2, power: .off)
        #expect(desk.write() == ["56 ff 88 00 00 f0 aa", "cc 24 33"])
        #expect(desk.ended == ["1 superseded", "2 written"])
    }

    @Test func anOffBetweenTheTwoLightsIsWrittenAfterThem() {
        var desk = Writer(known: knownOff)
        desk.add(1, light: .orange, impliesOn: true)
        #expect(desk.start() == "56 ff 88 00 00 f0 aa")
        desk.written()
        #expect(desk.start() == "cc 23 33")
        desk.add(2, power: .off)
        desk.written()
        #expect(desk.write() == ["56 ff 88 00 00 f0 aa", "cc 24 33"])
    }

    @Test func aQueryWaitsUntilItsAnswerWouldBeHeard() {
        var desk = Writer()
        desk.queue.addQuery()
        desk.mayQuery = false
        #expect(desk.write() == [])
        #expect(!desk.queue.isEmpty)
        #expect(!desk.queue.hasWishes)
        desk.mayQuery = true
        #expect(desk.write() == ["ef 01 77"])
        #expect(desk.queue.isEmpty)
    }

    // MARK: Superseding

    @Test func theLastWishWinsAndTheOthersAreSuperseded() {
        var desk = Writer()
        #expect(desk.add(1, light: .orange) == [])
        #expect(desk.add(2, light: .black) == ["1 superseded"])
        #expect(desk.add(3, light: .violet) == ["2 superseded"])
        #expect(desk.write() == ["56 5a 00 9d 00 f0 aa"])
        #expect(desk.ended == ["1 superseded", "2 superseded", "3 written"])
    }

    @Test func aFrameThatIsOnItsWayIsWrittenEvenIfANewerWishWaits() {
        var desk = Writer()
        desk.add(1, light: .orange)
        #expect(desk.start() == "56 ff 88 00 00 f0 aa")
        #expect(desk.add(2, light: .black) == [])
        #expect(desk.add(3, light: .violet) == ["2 superseded"])
        #expect(desk.start() == nil)
        desk.written()
        #expect(desk.ended == ["2 superseded", "1 written"])
        #expect(desk.write() == ["56 5a 00 9d 00 f0 aa"])
        #expect(desk.ended == ["2 superseded", "1 written", "3 written"])
    }

    @Test func aChangeOfTwoPartsEndsWithTheLastOfThem() {
        var desk = Writer()
        desk.add(1, power: .on, light: .orange)
        #expect(desk.start() == "cc 23 33")
        desk.written()
        #expect(desk.ended == [])
        #expect(desk.write() == ["56 ff 88 00 00 f0 aa"])
        #expect(desk.ended == ["1 written"])
    }

    @Test func valuesForLaterReachTheWaitingAndTheOutstandingLight() {
        var desk = Writer()
        let dimmed = Look(color: .orange, brightness: .half)
        desk.add(1, light: .orange)
        desk.queue.remember(dimmed)
        #expect(desk.queue.wantedLook == dimmed)
        _ = desk.start()
        desk.queue.remember(Look(color: .orange))
        #expect(desk.queue.outstandingLook == Look(color: .orange))
    }

    // MARK: Pace

    @Test("users.md 108, 109: the first at once, ten a second, the last always")
    func paced() {
        var desk = Writer()
        desk.add(0, light: .init(Color(red: 0, green: 0, blue: 0)))
        var frames: [String] = []
        for number in 1...500 {  // one each 4 ms: 2 s
            if let frame = desk.start() {
                frames.append(frame)
                desk.written()
            }
            desk.now += .milliseconds(4)
            desk.add(UInt64(number), light: .init(Color(red: UInt8(number / 2), green: 0, blue: 0)))
        }
        #expect(frames.first == "56 00 00 00 00 f0 aa")
        #expect(frames.count == 20)
        #expect(desk.write() == ["56 fa 00 00 00 f0 aa"])
        #expect(desk.ended.count == 501)
        #expect(desk.ended.last == "500 written")
    }

    @Test func powerKeepsThePaceToo() {
        var desk = Writer()
        var frames: [String] = []
        for number in 0..<100 {  // one each 10 ms: 1 s
            desk.add(UInt64(number), power: number % 2 == 0 ? .on : .off)
            if let frame = desk.start() {
                frames.append(frame)
                desk.written()
            }
            desk.now += .milliseconds(10)
        }
        #expect(frames.count == 10)
        #expect(frames.first == "cc 23 33")
        #expect(desk.write() == ["cc 24 33"])
        #expect(desk.ended.last == "99 written")
    }

    @Test("a stream of changes that switch on does not starve the light") func powerDoesNotStarveTheLight() {
        var desk = Writer()
        var frames: [String] = []
        for number in 0..<100 {  // one each 20 ms, while each write takes 90 ms
            desk.add(UInt64(number), power: .on, light: .init(Color(red: UInt8(number), green: 0, blue: 0)))
            if number % 5 == 4 { desk.written() }
            if let frame = desk.start() { frames.append(frame) }
            desk.now += .milliseconds(20)
        }
        #expect(frames.filter { $0.hasPrefix("56") }.count >= 8, "\(frames)")
        desk.written()
        frames += desk.write()
        #expect(frames.last == "56 63 00 00 00 f0 aa")
        #expect(desk.ended.count == 100)
    }

    @Test func aSecondOnThatComesWhileTheFirstIsOnItsWayIsThatOne() {
        var desk = Writer()
        desk.add(1, power: .on)
        #expect(desk.start() == "cc 23 33")
        desk.add(2, power: .on)
        desk.written()
        #expect(desk.ended == ["1 written", "2 written"])
        #expect(desk.write() == [])
    }
}
