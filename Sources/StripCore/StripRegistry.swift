public import BlueZ
public import EventLoop
public import StripModel

/// All known strips: who they are, which one a word means, and what of them is kept.
public actor StripRegistry {
    let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let bluez: BlueZClient
    let radio: Radio
    /// Tells of every change.
    public nonisolated let hub: EventHub
    let timing: Timing
    let choice: AdapterChoice
    let log: Log
    private let store: StripStore

    var strips: [BluetoothAddress: Strip] = [:]
    var aliases: [BluetoothAddress: Alias] = [:]
    var defaultStrip: BluetoothAddress?
    private var following: [BluetoothAddress: Task<Void, Never>] = [:]
    /// Adopted because a command named them or found nothing else, and not reached yet.
    private var onTrialStrips: Set<BluetoothAddress> = []
    private var saveTimer: TimerID?
    private var lastSaved: StripStore.Content?
    private var worldCause: FailureCause?
    private var hasLoaded = false
    /// What is wrong with the state file; `nil` if all is well.
    public private(set) var storeProblem: String?

    public init(
        bluez: BlueZClient, store: StripStore, choice: AdapterChoice, timing: Timing, log: Log, on loop: EventLoop
    ) {
        self.bluez = bluez
        self.store = store
        self.choice = choice
        self.timing = timing
        self.log = log
        self.loop = loop
        radio = Radio(bluez, choice: choice, on: loop)
        hub = EventHub(on: loop)
    }

    /// Takes in the kept strips, then follows adapters and the Bluetooth service until the task is cancelled.
    public func run() async {
        let events = await bluez.events()
        await takeInKeptStrips()
        for await event in events {
            switch event {
            case .presence, .adapter, .adapterRemoved: await worldChanged()
            case .device: break
            }
        }
    }

    /// Takes in the kept strips, once. Before this no strip is known, so nobody should be served.
    public func takeInKeptStrips() async {
        guard !hasLoaded else { return }
        hasLoaded = true
        worldCause = await unavailableCause()
        load()
    }

    /// Ends all links, fails what waits, and writes the state.
    public func stop() async {
        for strip in strips.values { await strip.end(.stopping) }
        for task in following.values { task.cancel() }
        await hub.finish()
        if saveTimer != nil { await save() }
    }

    // MARK: The world

    /// Goes by what BlueZ shows now. `run` does so whenever something changes.
    public func worldChanged() async {
        await radio.adaptersChanged()
        let cause = await unavailableCause()
        for adapter in await adapters() { await hub.post(adapter) }
        guard cause != worldCause else { return }
        worldCause = cause
        for strip in strips.values { await strip.worldChanged(cause) }
    }

    /// Why no strip can be reached at all; `nil` if an adapter is ready.
    public func unavailableCause() async -> FailureCause? {
        switch await bluez.presence {
        case .noBus, .absent: return .noBluetoothService
        case .notAllowed: return .notAllowed
        case .present:
            let allowed = await bluez.adapters.filter(choice.allows)
            if allowed.isEmpty { return .noAdapter }
            return allowed.contains(where: \.powered) ? nil : .adapterOff
        }
    }

    /// As `unavailableCause`, once there was time for an adapter to come up.
    func causeAfterGrace() async -> FailureCause? {
        let events = await bluez.events()
        guard await unavailableCause() != nil else { return nil }
        for await _ in Deadline(loop: loop, after: timing.worldGrace).elements(of: events) {
            if await unavailableCause() == nil { return nil }
        }
        return await unavailableCause()
    }

    /// The host's adapters, those that may not be used too, in the order of their numbers.
    public func adapters() async -> [AdapterView] {
        await bluez.adapters.compactMap { adapter in
            BluetoothAddress(adapter.address).map {
                AdapterView(
                    name: adapter.name, address: $0, powered: adapter.powered, discovering: adapter.discovering,
                    inUse: choice.allows(adapter) && adapter.powered)
            }
        }
    }

    // MARK: Coming and going

    /// Takes a strip in, or gives a known one an alias.
    ///
    /// - Parameter onTrial: nobody asked for it in so many words: it is forgotten again if it cannot be reached.
    /// - Throws: `InvalidValue` if the alias belongs to another strip.
    public func adopt(
        _ address: BluetoothAddress, as alias: Alias?, onTrial: Bool = false
    ) async throws(InvalidValue) -> Strip {
        if let alias { try checkIsFree(alias, for: address) }
        if let strip = strips[address] {
            if let alias { try await setAlias(alias, of: address) }
            if !onTrial { onTrialStrips.remove(address) }
            return strip
        }
        let name = await bluez.devices(withAddress: address.bluez).compactMap(\.name).first
        let record = StripRecord(
            address: address, alias: alias, name: name, look: nil, hasWhiteChannel: false, model: nil)
        let strip = takeIn(record)
        if onTrial { onTrialStrips.insert(address) }
        log(.notice, "adopted \(address)\(alias.map { " as \($0)" } ?? "")")
        await hub.post(await strip.view())
        saveSoon()
        return strip
    }

    /// - Returns: false if there is no such strip.
    public func forget(_ address: BluetoothAddress) async -> Bool {
        guard let strip = strips.removeValue(forKey: address) else { return false }
        aliases[address] = nil
        onTrialStrips.remove(address)
        if defaultStrip == address { defaultStrip = nil }
        await strip.end(.forgotten)
        following.removeValue(forKey: address)?.cancel()
        await hub.remove(address)
        saveSoon()
        return true
    }

    /// - Parameter alias: `nil` takes the alias away.
    public func setAlias(_ alias: Alias?, of address: BluetoothAddress) async throws(InvalidValue) {
        if let alias { try checkIsFree(alias, for: address) }
        aliases[address] = alias
        onTrialStrips.remove(address)
        await strips[address]?.rename(alias)
        saveSoon()
    }

    /// From now on `address` is meant where no strip is named.
    public func setDefault(_ address: BluetoothAddress) async {
        let former = defaultStrip
        defaultStrip = address
        onTrialStrips.remove(address)
        if let former, former != address { await strips[former]?.setDefault(false) }
        await strips[address]?.setDefault(true)
        saveSoon()
    }

    private func checkIsFree(_ alias: Alias, for address: BluetoothAddress) throws(InvalidValue) {
        guard let owner = aliases.first(where: { $0.value == alias && $0.key != address })?.key else { return }
        throw InvalidValue(
            text: alias.text, problem: "is the alias of \(owner) already", accepted: "an alias that no strip has",
            suggestions: [])
    }

    private func takeIn(_ record: StripRecord) -> Strip {
        let identity = Strip.Identity(
            alias: record.alias, name: record.name, isDefault: record.address == defaultStrip)
        let state = StripState(look: record.look, hasWhiteChannel: record.hasWhiteChannel, model: record.model)
        let strip = Strip(
            record.address, identity: identity, state: state, unavailable: worldCause, bluez: bluez, radio: radio,
            timing: timing, log: log, on: loop)
        strips[record.address] = strip
        aliases[record.address] = record.alias
        let views = strip.views
        following[record.address] = Task(executorPreference: loop) {
            await withTaskGroup { group in
                group.addTask(executorPreference: self.loop) { await strip.run() }
                group.addTask(executorPreference: self.loop) {
                    for await view in views { await self.tell(view) }
                }
            }
        }
        return strip
    }

    private func tell(_ view: StripView) async {
        guard strips[view.id] != nil else { return }
        if onTrialStrips.contains(view.id) {
            if view.available == true { onTrialStrips.remove(view.id) }
            if view.available == false, !view.pending {
                log(.notice, "\(view.id) was never reached: forgotten again")
                _ = await forget(view.id)
                return
            }
        }
        await hub.post(view)
        saveSoon()
    }

    // MARK: Keeping

    private func load() {
        do throws(StoreError) {
            let content = try store.load()
            defaultStrip = content.defaultStrip
            for record in content.strips { _ = takeIn(record) }
        } catch {
            storeProblem = "\(error)"
            log(.error, "\(error)")
        }
    }

    private func saveSoon() {
        guard saveTimer == nil else { return }
        saveTimer = loop.schedule(after: timing.save) { [weak self] in
            guard let self else { return }
            Task(executorPreference: self.loop) { await self.save() }
        }
    }

    /// Writes the state now, as who is known has changed.
    ///
    /// - Returns: why it could not be written; `nil` if it was.
    public func keep() async -> String? {
        await save()
        return storeProblem
    }

    private func save() async {
        if let saveTimer { loop.cancel(saveTimer) }
        saveTimer = nil
        var content = StripStore.Content(defaultStrip: defaultStrip)
        for strip in strips.values where !onTrialStrips.contains(strip.address) {
            content.strips.append(await strip.record())
        }
        content.strips.sort { $0.address < $1.address }
        guard content != lastSaved else { return }
        do throws(StoreError) {
            try store.save(content)
            lastSaved = content
            storeProblem = nil
        } catch {
            if storeProblem == nil { log(.error, "\(error)") }
            storeProblem = "\(error)"
        }
    }
}
