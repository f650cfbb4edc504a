import Triones

/// Decides what is written next. It holds wishes, not frames: one wanted power, one wanted light, one query. A newer
/// wish replaces the wanted value, and at most one write is outstanding.
///
/// Pure: time comes in with each call, frames and outcomes go out.
struct WriteQueue: Sendable {
    private struct Wish<Value: Hashable & Sendable>: Hashable, Sendable {
        var value: Value
        var change: ChangeID?
    }
    private struct PowerWish: Hashable, Sendable {
        var power: Power
        /// For a light's sake: not needed if the strip is known to be on.
        var isImplied: Bool
    }
    /// The order from a known *off*: light, on, light. No old colour flashes, and no strip that is deaf while off
    /// misses it.
    private enum LightStage: Hashable, Sendable { case waiting, writtenWhileOff }

    private struct Outstanding: Hashable, Sendable {
        var write: Write
        var change: ChangeID?
        /// Older changes that asked for the same power: this frame is theirs as well.
        var joined: [ChangeID] = []
        /// No newer wish took its place while it was on its way, and it was not withdrawn.
        var isCurrent = true
        /// The light is written again once the strip is on.
        var comesAgain = false
    }

    private var power: Wish<PowerWish>?
    private var light: Wish<Light>?
    private var lightStage = LightStage.waiting
    /// The wanted light was asked for together with *on*, be it implied.
    private var lightComesWithOn = false
    private var queryWanted = false
    private var outstanding: Outstanding?
    private var lastPower: Duration?
    private var lastLight: Duration?
    private var open: [ChangeID: (slots: Set<Slot>, superseded: Bool)] = [:]

    private let pace: Duration
    private let powerFreshness: Duration

    init(pace: Duration, powerFreshness: Duration) {
        self.pace = pace
        self.powerFreshness = powerFreshness
    }

    /// Nothing waits and nothing is outstanding.
    var isEmpty: Bool { power == nil && light == nil && !queryWanted && outstanding == nil }
    /// A wish of a user waits or is outstanding; a query is none.
    var hasWishes: Bool { power != nil || light != nil || (outstanding.map { $0.write.slot != .query } ?? false) }
    var wantedPower: Power? { power?.value.power }
    var wantedLook: Look? { light?.value.look }
    /// What the strip shows once the outstanding light is written.
    var outstandingLook: Look? { outstanding?.write.look }

    // MARK: Wishes

    /// Takes what `change` asks for. At least one of `power` and `light` must be given.
    ///
    /// - Parameter impliesOn: the light is of no use unless the strip is on.
    /// - Returns: the older changes that this one ends.
    mutating func add(
        _ change: ChangeID, power newPower: Power?, light newLight: Light?, impliesOn: Bool
    ) -> [Completion] {
        var slots: Set<Slot> = []
        var ended: [Completion] = []
        if let newPower {
            ended += replacePower(Wish(value: PowerWish(power: newPower, isImplied: false), change: change))
            slots.insert(.power)
        } else if newLight != nil, impliesOn {
            ended += replacePower(Wish(value: PowerWish(power: .on, isImplied: true), change: change))
            slots.insert(.power)
        }
        if let newLight {
            ended += replaceLight(Wish(value: newLight, change: change))
            lightComesWithOn = newPower.map { $0 == .on } ?? impliesOn
            slots.insert(.light)
        }
        open[change] = (slots, false)
        return ended
    }

    /// Keeps a value for later that changes nothing now, such as the brightness of the next colour.
    mutating func remember(_ look: Look) {
        light?.value.look = look
        if outstanding?.isCurrent == true, outstanding?.write.slot == .light { outstanding?.write.look = look }
    }

    mutating func addQuery() { queryWanted = true }
    mutating func dropQuery() { queryWanted = false }

    /// Writes these values once more, unless a newer wish is waiting: the repair of a strip that reports something else.
    mutating func rewrite(power rewrittenPower: Power?, light rewrittenLight: Light?) {
        if power == nil, let rewrittenPower {
            power = Wish(value: PowerWish(power: rewrittenPower, isImplied: false), change: nil)
        }
        if light == nil, let rewrittenLight {
            light = Wish(value: rewrittenLight, change: nil)
            (lightStage, lightComesWithOn) = (.waiting, false)
        }
    }

    /// Takes back what `rewrite` asked for: it was meant for the link that is gone.
    mutating func dropRewrites() {
        if let wish = power, wish.change == nil { power = nil }
        if let wish = light, wish.change == nil { light = nil }
        if let outstanding, outstanding.change == nil { self.outstanding?.isCurrent = false }
    }

    /// Takes back what `change` still waits for. A frame that is on its way stays on its way.
    mutating func withdraw(_ change: ChangeID) {
        if light?.change == change { light = nil }
        if let wish = power, wish.change == change {
            power = nil
            if let light, lightComesWithOn {  // which the withdrawn one had taken the place of
                power = Wish(value: PowerWish(power: .on, isImplied: wish.value.isImplied), change: light.change)
                if let owner = light.change { open[owner]?.slots.insert(.power) }
            }
        }
        if outstanding?.change == change { outstanding?.isCurrent = false }
        open[change] = nil
    }

    /// Takes back everything. A frame that is on its way stays on its way.
    mutating func withdrawAll() {
        (power, light, queryWanted) = (nil, nil, false)
        outstanding?.isCurrent = false
        open = [:]
    }

    private mutating func replacePower(_ wish: Wish<PowerWish>) -> [Completion] {
        let older = power?.change
        if let same = outstanding, same.write.command == .power(wish.value.power) {
            return join(wish, replacing: older)
        }
        // A command takes the place of a command: what it replaces may have reached the strip, or was asked for in so
        // many words, and then it does not do to know the strip to be on.
        let isImplied = wish.value.isImplied && power?.value.isImplied != false
        power = wish
        power?.value.isImplied = isImplied
        return supersede(older, in: .power)
    }

    /// The frame that is on its way is just what the newer wish asks for.
    private mutating func join(_ wish: Wish<PowerWish>, replacing older: ChangeID?) -> [Completion] {
        let carried = outstanding?.change
        power = wish
        outstanding?.isCurrent = true
        outstanding?.change = wish.change
        if let carried { outstanding?.joined.append(carried) }
        guard let older, older != carried else { return [] }
        open[older]?.superseded = true
        return finish(.power, of: older)
    }

    private mutating func replaceLight(_ wish: Wish<Light>) -> [Completion] {
        let older = light?.change
        light = wish
        lightStage = .waiting
        return supersede(older, in: .light)
    }

    private mutating func supersede(_ change: ChangeID?, in slot: Slot) -> [Completion] {
        if outstanding?.write.slot == slot { outstanding?.isCurrent = false }
        guard let change else { return [] }
        // A frame that is on its way still decides the older change's fate.
        if let outstanding, outstanding.write.slot == slot, outstanding.change == change { return [] }
        open[change]?.superseded = true
        return finish(slot, of: change)
    }

    private mutating func finish(_ slot: Slot, of change: ChangeID) -> [Completion] {
        guard var rest = open[change] else { return [] }
        rest.slots.remove(slot)
        guard rest.slots.isEmpty else {
            open[change] = rest
            return []
        }
        open[change] = nil
        return [Completion(change: change, outcome: rest.superseded ? .superseded : .written)]
    }

    // MARK: Writing

    /// The next step; a `.write` must be followed by `written` or `failed`.
    ///
    /// - Parameters:
    ///   - known: what is known of the strip's power.
    ///   - mayQuery: its answer would be heard.
    mutating func next(
        at now: Duration, known: PowerFact?, mayQuery: Bool
    ) -> (step: Step, ended: [Completion]) {
        guard outstanding == nil else { return (.rest, []) }
        var ended: [Completion] = []
        if let wish = power, wish.value.isImplied, lightStage == .waiting, let known, known.power == .on,
            now - known.at <= powerFreshness
        {
            power = nil
            if let change = wish.change { ended = finish(.power, of: change) }
        }
        if let wish = power, wish.value.power == .on {
            if let light, lightStage == .waiting, known?.power == .off {
                return (paced(light, at: now, comesAgain: true), ended)
            }
            return (paced(wish, at: now), ended)
        }
        if let light { return (paced(light, at: now, comesAgain: false), ended) }
        if let wish = power { return (paced(wish, at: now), ended) }
        if queryWanted, mayQuery { return (start(Write(slot: .query, command: .queryStatus), nil), ended) }
        return (.rest, ended)
    }

    private mutating func paced(_ wish: Wish<PowerWish>, at now: Duration) -> Step {
        if let lastPower, now - lastPower < pace { return .wait(pace - (now - lastPower)) }
        lastPower = now
        return start(Write(slot: .power, command: .power(wish.value.power)), wish.change)
    }

    private mutating func paced(_ wish: Wish<Light>, at now: Duration, comesAgain: Bool) -> Step {
        if lightStage == .waiting, let lastLight, now - lastLight < pace { return .wait(pace - (now - lastLight)) }
        lastLight = now
        return start(
            Write(slot: .light, command: wish.value.command, look: wish.value.look), wish.change, comesAgain: comesAgain
        )
    }

    private mutating func start(_ write: Write, _ change: ChangeID?, comesAgain: Bool = false) -> Step {
        outstanding = Outstanding(write: write, change: change, comesAgain: comesAgain)
        if write.slot == .query { queryWanted = false }
        return .write(write)
    }

    /// The outstanding frame reached the strip.
    mutating func written() -> [Completion] {
        guard let done = outstanding else { return [] }
        outstanding = nil
        switch done.write.slot {
        case .query: return []
        case .power:
            if done.isCurrent { power = nil }
        case .light:
            if done.isCurrent {
                if done.comesAgain, power?.value.power == .on {
                    lightStage = .writtenWhileOff
                    return []
                }
                light = nil
            }
            lightStage = .waiting
        }
        return (done.joined + [done.change].compactMap(\.self)).flatMap { finish(done.write.slot, of: $0) }
    }

    /// The outstanding frame did not reach the strip, or nobody knows: its wish waits for the next chance, unless a
    /// newer one took its place.
    mutating func failed() -> [Completion] {
        guard let lost = outstanding else { return [] }
        outstanding = nil
        lightStage = .waiting
        guard lost.write.slot != .query else { return [] }
        var overtaken = lost.joined
        if !lost.isCurrent, let change = lost.change { overtaken.append(change) }
        return overtaken.flatMap { change in
            open[change]?.superseded = true
            return finish(lost.write.slot, of: change)
        }
    }
}
