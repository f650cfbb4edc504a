import Testing

@testable import StripCore

@Suite struct ConnectTurnsTests {
    @Test func connectsRunSideBySide() {
        var turns = ConnectTurns()
        #expect(turns.want(1) == [1])
        #expect(turns.want(2) == [2])
        #expect(turns.ended(1, collided: false) == [])
        #expect(turns.want(3) == [3])
        #expect(!turns.isOneAtATime)
    }

    @Test("users.md 33: after a collision the adapter goes one at a time, in the order of asking")
    func collided() {
        var turns = ConnectTurns()
        _ = turns.want(1)
        _ = turns.want(2)
        #expect(turns.ended(1, collided: true) == [])
        #expect(turns.isOneAtATime)
        #expect(turns.want(3) == [])
        #expect(turns.want(4) == [])
        #expect(turns.ended(2, collided: false) == [3])
        #expect(turns.ended(3, collided: true) == [4])
        #expect(turns.ended(4, collided: false) == [])
        #expect(turns.want(5) == [5])
    }

    @Test func aFailureAloneIsNoCollision() {
        var turns = ConnectTurns()
        _ = turns.want(1)
        #expect(turns.ended(1, collided: true) == [])
        #expect(!turns.isOneAtATime)
    }

    @Test func whoGaveUpGetsNoTurn() {
        var turns = ConnectTurns()
        for id in 1...3 { _ = turns.want(UInt64(id)) }
        _ = turns.ended(1, collided: true)
        _ = turns.want(4)
        _ = turns.want(5)
        turns.withdraw(4)
        #expect(turns.ended(2, collided: false) == [])
        #expect(turns.ended(3, collided: false) == [5])
    }
}
