import Seeds
import Testing
import Triones

@testable import StripCore

/// The three machines together, under wishes, losses, failures and releases in any order. A seed that failed once stays
/// here as a case of its own.
@Suite struct InterleavingTests {
    @Test("Whatever happens, the light ends as it was asked for", arguments: 0..<8)
    func manyInterleavings(block: UInt64) {
        for seed in block * 1000..<(block + 1) * 1000 {
            let faults = faults(of: seed)
            #expect(faults.isEmpty, "seed \(seed)")
            if !faults.isEmpty { return }
        }
    }

    @Test(
        "A seed that failed once",
        arguments: [
            18,  // a query that could not be heard kept the link for ever
            81,  // a write that was answered after the link's end was checked without a link
            45184,  // light and on, then an on that was given up: the light without the on
            95885,  // the same with an implied on
        ])
    func regressions(seed: UInt64) {
        #expect(faults(of: seed) == [])
    }

    /// Everything that a run with this seed did wrong.
    private func faults(of seed: UInt64) -> [String] {
        var generator = SeededGenerator(seed: seed)
        var strip = FakeStrip()
        strip.power = Bool.random(using: &generator) ? .on : .off
        strip.isDeafWhileOff = Bool.random(using: &generator)
        strip.answers = Int.random(in: 0..<4, using: &generator) > 0
        var rehearsal = Rehearsal(strip: strip)
        for _ in 0..<Int.random(in: 5...120, using: &generator) {
            rehearsal.happen(rehearsal.anyMove(using: &generator), using: &generator)
        }
        rehearsal.calmDown(using: &generator)
        return rehearsal.faults + rehearsal.unkeptPromises
    }
}

extension Rehearsal {
    fileprivate func anyMove(using generator: inout SeededGenerator) -> Move {
        let moves = Move.allCases.filter { $0.canHappen(in: self) }
        var ticket = Int.random(in: 0..<moves.reduce(0) { $0 + $1.weight }, using: &generator)
        for move in moves {
            ticket -= move.weight
            if ticket < 0 { return move }
        }
        return .momentPasses
    }

    /// Nothing goes wrong any more, until nothing is left to happen but the end of the kept link.
    fileprivate mutating func calmDown(using generator: inout SeededGenerator) {
        for _ in 0..<2000 {
            if clocks.keys.allSatisfy({ $0 == .link(.keepLink) }), outstanding == nil, isAdapterOn, !isDisconnecting,
                openConnects == 0, reports.isEmpty, notifications != .starting
            {
                return
            }
            guard let move = Move.calming.first(where: { $0.canHappen(in: self) }) else {
                return faults.append("stuck in \(link.state)")
            }
            happen(move, using: &generator)
        }
        faults.append("never quiet: \(link.state), \(clocks)")
    }

    /// What does not hold once all is quiet.
    fileprivate var unkeptPromises: [String] {
        var found: [String] = []
        for number in asked.indices where endings[UInt64(number + 1)] == nil {
            found.append("change \(number + 1) never ended")
        }
        if !queue.isEmpty { found.append("something still waits: \(queue)") }
        if readBack.isChecking { found.append("the read-back never settled: \(readBack)") }
        let powers = candidates { $0.wantedPower }
        if let powers, !powers.contains(strip.power) {
            found.append("power is \(strip.power), asked for was \(powers)")
        }
        let lights = candidates { $0.light }
        if let lights, !lights.contains(strip.light), !mayHaveMissedTheLight {
            found.append("light is \(strip.light), asked for was \(lights)")
        }
        for (index, start) in lightStarts.enumerated() {
            let second = lightStarts[index...].prefix { $0.at - start.at < .seconds(1) }
            if Set(second.map(\.wish)).count > 10 { found.append("more than 10 lights in the second from \(start.at)") }
        }
        return found
    }

    /// What a slot may hold in the end. The last wish for it, if that did not fail; else its value or what the wishes
    /// before it left. `nil` if it may hold what it held at the beginning.
    private func candidates<Value>(_ value: (Asked) -> Value?) -> [Value]? {
        var values: [Value] = []
        for (index, wish) in asked.enumerated().reversed() {
            guard let value = value(wish) else { continue }
            let isLast = values.isEmpty
            values.append(value)
            switch endings[UInt64(index + 1)] {
            case .written: return values
            case .superseded: if isLast { return values }  // in its other slot
            case .failed, nil: break
            }
        }
        return nil
    }

    /// A strip that is deaf while off takes a light only together with being switched on, or while it is on.
    private var mayHaveMissedTheLight: Bool {
        guard strip.isDeafWhileOff, let last = asked.lastIndex(where: { $0.light != nil }) else { return false }
        return endings[UInt64(last + 1)] == .failed || asked[last].wantedPower != .on
            || asked[last...].contains { $0.wantedPower == .off }
    }
}
