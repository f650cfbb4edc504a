import StripModel
import Testing
import Triones

@testable import StripCore

/// What `WriteQueue` makes of frames that failed, wishes that were taken back, and repairs.
@Suite struct LostWritesTests {
    private let knownOn = WriteQueue.PowerFact(power: .on, at: .zero)
    private let knownOff = WriteQueue.PowerFact(power: .off, at: .zero)

    @Test func aFailedWriteIsMadeAgain() {
        var desk = Writer()
        desk.add(1, light: .orange)
        _ = desk.start()
        desk.failed()
        #expect(desk.ended == [])
        #expect(desk.queue.hasWishes)
        #expect(desk.write() == ["56 ff 88 00 00 f0 aa"])
        #expect(desk.ended == ["1 written"])
    }

    @Test func aFailedWriteThatANewerWishTookThePlaceOfIsSuperseded() {
        var desk = Writer()
        desk.add(1, light: .orange)
        _ = desk.start()
        desk.add(2, light: .violet)
        desk.failed()
        #expect(desk.ended == ["1 superseded"])
        #expect(desk.write() == ["56 5a 00 9d 00 f0 aa"])
    }

    @Test("An off that was lost may have reached the strip: the colour after it switches on")
    func lostOff() {
        var desk = Writer(known: knownOn)
        desk.add(1, power: .off)
        _ = desk.start()
        desk.add(2, light: .orange, impliesOn: true)
        desk.failed()
        #expect(desk.write() == ["cc 23 33", "56 ff 88 00 00 f0 aa"])
    }

    @Test func afterALostLinkTheOrderFromOffBeginsAnew() {
        var desk = Writer(known: knownOff)
        desk.add(1, light: .orange, impliesOn: true)
        _ = desk.start()
        desk.written()
        #expect(desk.start() == "cc 23 33")
        desk.failed()
        #expect(desk.write() == ["56 ff 88 00 00 f0 aa", "cc 23 33", "56 ff 88 00 00 f0 aa"])
    }

    @Test func whatWasWithdrawnIsNotWritten() {
        var desk = Writer()
        desk.add(1, light: .orange, impliesOn: true)
        desk.queue.withdraw(1)
        #expect(desk.write() == [])
        #expect(desk.queue.isEmpty)
        #expect(desk.ended == [])
    }

    @Test func whatWasWithdrawnOnItsWayIsNotMadeAgain() {
        var desk = Writer()
        desk.add(1, light: .orange)
        _ = desk.start()
        desk.queue.withdrawAll()
        desk.failed()
        #expect(desk.write() == [])
        #expect(desk.ended == [])
        desk.add(2, light: .violet)
        #expect(desk.write() == ["56 5a 00 9d 00 f0 aa"])
        #expect(desk.ended == ["2 written"])
    }

    @Test("A colour still switches on when the power command after it was given up", arguments: [Power.on, .off])
    func powerWithdrawn(power: Power) {
        var desk = Writer()
        desk.add(1, light: .orange, impliesOn: true)
        desk.add(2, power: power)
        desk.queue.withdraw(2)
        #expect(desk.write() == ["cc 23 33", "56 ff 88 00 00 f0 aa"])
        #expect(desk.ended == ["1 superseded"])
    }

    // MARK: Repairs

    @Test func aRepairIsWrittenUnlessANewerWishWaits() {
        var desk = Writer()
        desk.queue.rewrite(power: .on, light: .init(.orange))
        #expect(desk.write() == ["cc 23 33", "56 ff 88 00 00 f0 aa"])
        desk.add(1, light: .violet)
        desk.queue.rewrite(power: nil, light: .init(.orange))
        #expect(desk.write() == ["56 5a 00 9d 00 f0 aa"])
    }

    @Test func aRepairIsNotTakenToAnotherLink() {
        var desk = Writer()
        desk.queue.rewrite(power: .on, light: .init(.orange))
        _ = desk.start()
        desk.queue.dropRewrites()
        desk.failed()
        #expect(desk.queue.isEmpty)
        #expect(desk.write() == [])
    }

    @Test func aFailedLightIsPacedLikeAnyOther() {
        var desk = Writer()
        desk.add(1, light: .orange)
        _ = desk.start()
        desk.failed()
        #expect(desk.queue.next(at: .milliseconds(30), known: nil, mayQuery: true).step == .wait(.milliseconds(70)))
    }
}
