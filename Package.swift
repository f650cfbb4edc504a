// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
]

/// stripctl is one fully static file without a C library but libc: it starts in a millisecond.
let fullyStatic: [LinkerSetting] = [
    .unsafeFlags(["-static-executable"], .when(configuration: .release))
]

/// A position-independent daemon whose 35 000 relocations are packed: a megabyte less to read and to keep in memory.
let packed: [LinkerSetting] = [
    .unsafeFlags(
        ["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xclang-linker", "-static-libgcc"],
        .when(configuration: .release))
]

/// A target of ours, and the tests beside it where there are any.
func part(_ name: String, uses: [Target.Dependency] = [], tests: [Target.Dependency]? = []) -> [Target] {
    let target = Target.target(name: name, dependencies: uses, swiftSettings: strict)
    guard let tests else { return [target] }
    return [
        target, .testTarget(name: name + "Tests", dependencies: [.byName(name: name)] + tests, swiftSettings: strict),
    ]
}

let package = Package(
    name: "stripd",
    products: [
        .executable(name: "stripd", targets: ["stripd"]),
        .executable(name: "stripctl", targets: ["stripctl"]),
    ],
    targets: [
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .target(name: "CLinux"),
        .testTarget(
            name: "EndToEndTests", dependencies: ["CLinux", "DBus", "EventLoop", "VirtualBlueZ", "stripctl", "stripd"],
            swiftSettings: strict),
        .target(name: "ScriptedServer", path: "Tests/Support/ScriptedServer", swiftSettings: strict),
        .target(name: "Seeds", path: "Tests/Support/Seeds", swiftSettings: strict),
        .executableTarget(
            name: "stripd", dependencies: ["StripServer"], swiftSettings: strict, linkerSettings: packed),
        .executableTarget(
            name: "stripctl", dependencies: ["StripCommands"], swiftSettings: strict, linkerSettings: fullyStatic),
    ]
        // Level 0: bytes, the loop, the command-line table.
        + part("Triones", tests: ["Seeds"])
        + part("EventLoop", uses: ["CLinux"])
        + part("CommandLineTable")
        // Level 1: the bus, and the words everyone uses.
        + part("DBus", uses: ["CDBus", "EventLoop"], tests: ["EventLoop", "VirtualBlueZ"])
        + part("StripModel", uses: ["Triones"], tests: ["Seeds"])
        // Level 2: BlueZ, its simulation, HTTP.
        + part("BlueZ", uses: ["DBus", "EventLoop"], tests: ["DBus", "EventLoop", "VirtualBlueZ"])
        + part("VirtualBlueZ", uses: ["CLinux", "DBus", "EventLoop"], tests: ["DBus", "EventLoop"])
        + part("HTTPServer", uses: ["CMicroHTTPD", "EventLoop"])
        // Level 3: the light itself, and the shapes of the API.
        + part(
            "StripCore", uses: ["BlueZ", "DBus", "EventLoop", "StripModel", "Triones"],
            tests: ["BlueZ", "DBus", "EventLoop", "Seeds", "StripModel", "Triones", "VirtualBlueZ"])
        + part("StripAPI", uses: ["StripModel", "Triones"], tests: ["ScriptedServer"])
        // Level 4: what people meet.
        + part(
            "StripServer",
            uses: [
                "BlueZ", "CommandLineTable", "CSystemd", "DBus", "EventLoop", "HTTPServer", "StripAPI", "StripCore",
                "StripModel", "Triones", "VirtualBlueZ",
            ],
            tests: [
                "BlueZ", "CLinux", "CommandLineTable", "DBus", "EventLoop", "HTTPServer", "StripAPI", "StripCore",
                "StripModel",
                "VirtualBlueZ", "stripd",
            ])
        + part("StripCommands", uses: ["StripAPI", "StripModel", "CommandLineTable"], tests: ["ScriptedServer"]),
    swiftLanguageModes: [.v6])
