import BlueZ
import StripCore
import StripModel

/// Whether any strip can be reached at all.
struct Reach: Sendable {
    let registry: StripRegistry
    let bluez: BlueZClient

    /// Why none can be, and what to try; `nil` if an adapter is ready.
    func problem() async -> String? {
        switch await bluez.presence {
        case .noBus(let why): "The message bus cannot be reached: \(why)"
        case .notAllowed, .absent, .present: await registry.unavailableCause()?.explanation
        }
    }

    /// The adapters in use, by name.
    func adapters() async -> [String] { await registry.adapters().filter(\.inUse).map(\.name) }
}
