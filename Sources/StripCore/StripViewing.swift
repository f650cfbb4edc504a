import BlueZ
import DBus
import StripModel
import Triones

/// A strip as the API shows it.
extension Strip {
    func view(of device: Device?) -> StripView {
        let look = wantedLook
        let pending = queue.hasWishes || !undecided.isEmpty
        let isKnown = state.knowsLight || queue.wantedLook != nil
        let on = wantedPower.map { $0 == .on }
        return StripView(
            id: address, alias: identity.alias, name: identity.name, model: state.model.map(modelName),
            available: worldCause == nil ? available : false, link: link.phase,
            cause: worldCause ?? (link.phase == .ready ? nil : link.lastFailure),
            rssi: device?.rssi, adapter: device.map { String($0.adapter.lastComponent) }, pending: pending,
            isDefault: identity.isDefault, on: on,
            color: isKnown || state.hasLook ? look.color : nil,
            brightness: isKnown || state.hasLook ? look.brightness : nil,
            white: look.shine == .white && isKnown ? look.white : nil,
            effect: isKnown ? effectName(look.shine) : nil,
            speed: isKnown && effectName(look.shine) != nil ? look.speed : nil,
            certainty: StripCertainty(power: state.powerKnowledge, light: state.lightKnowledge))
    }

    private func effectName(_ shine: Look.Shine) -> String? {
        switch shine {
        case .effect(let effect): effect.name
        case .unknown(let mode): Effect.name(ofCode: mode)
        case .color, .white: nil
        }
    }

    private func modelName(_ model: UInt8) -> String { "0x" + hex(model) }
    private func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}

extension StripView {
    /// The same but for the time at which things were learnt.
    func saysTheSame(as other: StripView) -> Bool {
        var (one, other) = (self, other)
        for path in [\StripView.certainty.power.at, \.certainty.light.at] {
            one[keyPath: path] = nil
            other[keyPath: path] = nil
        }
        return one == other
    }
}
