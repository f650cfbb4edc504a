import EventLoop
import StripCore
import VirtualBlueZ

/// Says what the simulated strips receive, so that one can see the light without one:
/// `strip ff:ff:38:5b:40:65 received 56 ff 88 00 00 f0 aa (request)`.
func logFrames(of bluez: VirtualBlueZ, _ log: Log, on loop: EventLoop) async {
    await withTaskGroup(of: Void.self) { group in
        for strip in 0..<(await bluez.stripCount) {
            group.addTask(executorPreference: loop) { await logFrames(of: strip, in: bluez, log) }
        }
    }
}

private func logFrames(of strip: Int, in bluez: VirtualBlueZ, _ log: Log) async {
    let address = await bluez.description(of: strip).address.lowercased()
    for await entry in await bluez.events(of: strip) {
        guard case .frame(let frame) = entry.event else { continue }
        log(.info, "strip \(address) received \(frame) (\(frame.type))\(frame.ignored ? ", ignored" : "")")
    }
}
