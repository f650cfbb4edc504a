import FoundationEssentials
import StripAPI
import StripModel

// The shapes that every change, every event and every look at the strips answers with.

extension StripView: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("adapter", adapter)
            json.member("alias", alias?.text)
            json.member("available", available)
            json.member("brightness", brightness?.value)
            json.member("cause", cause?.rawValue)
            json.member("certainty")
            json.object { json in
                json.member("light")
                certainty.light.write(to: &json)
                json.member("power")
                certainty.power.write(to: &json)
            }
            json.member("color", color?.description)
            json.member("default", isDefault)
            json.member("effect", effect)
            json.member("id", id.description)
            json.member("link", link.rawValue)
            json.member("model", model)
            json.member("name", name)
            json.member("on", on)
            json.member("pending", pending)
            json.member("rssi", rssi)
            json.member("speed", speed?.value)
            json.member("white", white?.value)
        }
    }
}

extension Knowledge: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("at", at?.formatted(.iso8601))
            json.member("is", self.is.rawValue)
        }
    }
}

extension StripList: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("strips")
            json.array(strips) { $1.write(to: &$0) }
        }
    }
}

extension Outcome: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            if let cause { json.member("cause", cause.rawValue) }
            if let detail { json.member("detail", detail) }
            json.member("notes")
            json.array(notes) { $0.string($1) }
            json.member("outcome", outcome.rawValue)
            json.member("strip")
            strip.write(to: &json)
        }
    }
}
