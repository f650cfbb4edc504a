import Testing

@testable import VirtualBlueZ

@Suite("The simulated firmware")
struct StripFirmwareTests {
    @Test(
        "A status says what was set",
        arguments: [
            (["56 00 ff 00 00 f0 aa"], "66 15 23 41 20 10 00 ff 00 00 06 99"),
            (["56 de ad ff 30 0f aa"], "66 15 23 41 20 10 00 00 00 30 06 99"),
            (["bb 27 1f 44"], "66 15 23 27 20 1f ff 00 00 00 06 99"),
            (["bb 34 10 44", "cc 24 33"], "66 15 24 34 20 10 ff 00 00 00 06 99"),
            (["56 00 00 ff 00 f0 aa", "cc 24 33", "cc 23 33"], "66 15 23 41 20 10 00 00 ff 00 06 99"),
            (["cc 24 33", "56 00 00 ff 00 f0 aa"], "66 15 24 41 20 10 00 00 ff 00 06 99"),
        ])
    func status(_ frames: [String], _ expected: String) throws {
        #expect(try status(after: frames) == expected)
    }

    @Test(
        "A quirk changes what a frame does",
        arguments: [
            (Quirk.offDeaf, ["cc 24 33", "56 00 00 ff 00 f0 aa"], "66 15 24 41 20 10 ff 00 00 00 06 99"),
            (.lie, ["56 01 02 03 00 f0 aa"], "66 15 23 41 20 10 02 01 03 00 06 99"),
            (.rgbOnly, ["56 00 00 00 ff 0f aa"], "66 15 23 41 20 10 00 00 00 00 06 99"),
            (.locked, ["56 00 00 ff 00 f0 aa"], "66 15 23 41 20 10 ff 00 00 00 06 99"),
            (
                .locked,
                ["fb 02 05 05 0f 08 23 01 02 00 05 55 22 01 12 13 14 fa", "56 00 00 ff 00 f0 aa"],
                "66 15 23 41 20 10 00 00 ff 00 06 99"
            ),
        ])
    func quirk(_ quirk: Quirk, _ frames: [String], _ expected: String) throws {
        #expect(try status(after: frames, quirks: [quirk]) == expected)
    }

    @Test func aStatusQueryIsAnsweredWithOneNotification() throws {
        #expect(try react("ef 01 77") == ["66 15 23 41 20 10 ff 00 00 00 06 99"])
    }

    @Test func aMuteStripAnswersNoStatusQueryAndDoesNotIgnoreIt() throws {
        var firmware = firmware([.statusMute])
        let reaction = firmware.receive([0xEF, 0x01, 0x77], as: .request, at: .zero)
        #expect(reaction == StripFirmware.Reaction())
    }

    @Test func powerIsObeyedOnlyAsARequestWhereTheStripIsLikeThat() throws {
        var firmware = firmware([.powerRequest])
        #expect(firmware.receive(try bytes("cc 24 33"), as: .command, at: .zero).ignored)
        #expect(firmware.state.on)
        #expect(!firmware.receive(try bytes("cc 24 33"), as: .request, at: .zero).ignored)
        #expect(!firmware.state.on)
    }

    @Test("users.md 63: power may be acknowledged with four bytes")
    func powerAcknowledgement() throws {
        #expect(try react("cc 24 33", quirks: [.powerAck]) == ["cc 24 00 00"])
        #expect(try react("cc 23 33", quirks: [.powerAck]) == ["cc 23 00 00"])
    }

    @Test("users.md 96: a lagging strip reports the old light for a while")
    func lag() throws {
        var description = StripDescription(index: 0)
        description.lag = .seconds(5)
        var firmware = StripFirmware(description)
        _ = firmware.receive(try bytes("cc 24 33"), as: .request, at: .seconds(100))
        #expect(firmware.status(at: .seconds(104))[2] == 0x23)
        #expect(firmware.status(at: .seconds(105))[2] == 0x24)
        #expect(!firmware.state.on)
    }

    @Test("users.md 62: model and version are what the strip was made with")
    func modelAndVersion() {
        var description = StripDescription(index: 0)
        (description.model, description.version) = (0x04, 0x03)
        let status = StripFirmware(description).status(at: .zero)
        #expect(status[1] == 0x04 && status[10] == 0x03)
    }

    @Test func theTimerTableTravelsInPiecesBothWays() throws {
        var firmware = firmware([])
        let slots = [UInt8]((0..<84).map { UInt8($0 + 1) })
        let whole = [0x23] + slots + [0x00, 0x32]
        for start in stride(from: 0, to: 87, by: 20) {
            let piece = [UInt8](whole[start..<min(start + 20, 87)])
            #expect(!firmware.receive(piece, as: .request, at: .zero).ignored)
        }
        let answer = firmware.receive([0x24, 0x2A, 0x2B, 0x42], as: .request, at: .zero).notifications
        #expect(answer.map(\.count) == [20, 20, 20, 20, 7])
        #expect(answer.flatMap { $0 } == [0x25] + slots + [0x00, 0x52])
    }

    @Test func theClockIsKept() throws {
        var firmware = firmware([])
        _ = firmware.receive(try bytes("10 14 10 02 1c 05 07 18 07 00 01"), as: .request, at: .zero)
        let answer = firmware.receive(try bytes("12 1a 1b 21"), as: .request, at: .zero).notifications
        #expect(answer.map { hex($0) } == ["13 00 10 02 1c 05 07 18 07 00 31"])
    }

    @Test(
        "What an onlooker sees",
        arguments: [
            (FirmwareState(on: false), LightSwatch.dark),
            (FirmwareState(red: 1, green: 2, blue: 3), LightSwatch(red: 1, green: 2, blue: 3)),
            (FirmwareState(red: 0, white: 48), LightSwatch(red: 48, green: 48, blue: 48)),
            (FirmwareState(mode: 0x27), LightSwatch(red: 0, green: 255, blue: 0, effect: 0x27)),
            (FirmwareState(mode: 0x37), LightSwatch(red: 255, green: 255, blue: 255, effect: 0x37)),
            (FirmwareState(mode: 0x38), LightSwatch(red: 255, green: 0, blue: 0, effect: 0x38)),
        ])
    func swatch(_ state: FirmwareState, _ swatch: LightSwatch) { #expect(state.swatch == swatch) }

    // MARK: Steps

    private func firmware(_ quirks: Set<Quirk>) -> StripFirmware {
        var description = StripDescription(index: 0)
        description.quirks = quirks
        return StripFirmware(description)
    }

    private func status(after frames: [String], quirks: Set<Quirk> = []) throws -> String {
        var firmware = firmware(quirks)
        for frame in frames { _ = firmware.receive(try bytes(frame), as: .request, at: .zero) }
        return hex(firmware.status(at: .zero))
    }

    private func react(_ frame: String, quirks: Set<Quirk> = []) throws -> [String] {
        var firmware = firmware(quirks)
        return firmware.receive(try bytes(frame), as: .request, at: .zero).notifications.map { hex($0) }
    }
}
