/// What an advertised name says of a device. It is no proof: several makers' protocols share names.
public enum NameVerdict: String, Codable, Hashable, Sendable, CaseIterable {
    /// A strip of this family, in all likelihood.
    case strip
    /// Nothing is known against it.
    case maybe
    /// A light that speaks another protocol.
    case other

    /// `nil` for a device that has no name.
    public init(name: String?) {
        let name = plain(name ?? "")
        self = NameVerdict.table.first { name.hasPrefix($0.prefix) }?.verdict ?? .maybe
    }

    /// The first prefix that fits decides. `Protocol/triones.md` says who speaks what.
    private static let table: [(prefix: String, verdict: NameVerdict)] = [
        ("triones", .strip), ("qhm-", .strip), ("ledblue", .strip), ("ledble", .strip),
        ("lednet-", .maybe),  // a bulb of that name was observed to speak this protocol
        ("lednet", .other), ("iotwf", .other), ("iotbt", .other),
        ("elk-", .other), ("melk", .other), ("xsl-", .other), ("ledlightstrip", .other), ("jackyled", .other),
        ("leddmx", .other), ("xrocker", .other), ("bj_led", .other), ("isp-", .other), ("idl-", .other),
        ("l7161", .other),
    ]
}
