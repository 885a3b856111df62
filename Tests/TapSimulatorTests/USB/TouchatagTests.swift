import TestSupport
import Testing

@testable import TapSimulator

/// The two sides of a Touchatag: a slot for a module, and a chip that libnfc reaches through it.
@Suite(.timeLimit(.minutes(20)), .eightAtATime) struct TouchatagTests {
    /// The fetching of the chip's response, as libnfc sends it.
    private static func fetch(_ length: UInt8) -> [UInt8] { [0xFF, 0xC0, 0x00, 0x00, length] }

    private static func chip(_ driver: CCIDHost, _ frame: [UInt8]) throws -> [UInt8] {
        let waiting = try driver.transmit(CCIDHost.through(frame))
        try #require(waiting.count == 2 && waiting[0] == 0x61)
        let response = try driver.transmit(fetch(waiting[1]))
        #expect(response.count == Int(waiting[1]))
        return response
    }

    /// What libccid does at this level, and over T=0: power, parameters, a command as it is.
    @Test func aDriverOfTheClassSeesTheSlotForAModule() async throws {
        let target = FieldTarget()
        try await ReaderStand.with(.touchatag, target) { stand in
            let driver = try stand.driver()
            try driver.hearChanges()
            #expect(try driver.changed() == 3)
            #expect(try driver.send(0x65).card == 1)
            #expect(try driver.send(0x6F, AppSide.select).error == 0xFE)
            #expect(try driver.powerOn() == [0x3B, 0x00])
            let parameters: [UInt8] = [0x11, 0x00, 0x00, 0x0A, 0x00]
            let initial = try driver.send(0x6C)
            #expect((initial.command, initial.detail, initial.data) == (0, 0, parameters))
            let others: [UInt8] = [0x95, 0x00, 0x00, 0x0A, 0x00]
            #expect(try driver.send(0x61, others).data == others)
            // T=1, and the structure of T=1.
            #expect(try driver.send(0x61, [UInt8](repeating: 0, count: 7), [1, 0, 0]).error == 7)
            #expect(try driver.send(0x61, [UInt8](repeating: 0, count: 7)).error == 1)
            #expect(try driver.send(0x6D).data == parameters)
            #expect(try driver.transmit(AppSide.select) == [0x6D, 0x00])
            // A part of a command.
            #expect(try driver.send(0x6F, [1], [0, 1, 0]).error == 8)
            // With and without a card in the field it is the same.
            stand.server.pull()
            #expect(try driver.send(0x65).card == 0)
            let off = try driver.send(0x63)
            #expect((off.card, off.command) == (1, 0))
            #expect(try driver.powerOn() == [0x3B, 0x00])
            stand.server.insert()
            #expect(try driver.send(0x65).card == 0)
        }
        #expect(target.apdus.isEmpty && target.powerCycles == 0)
    }

    @Test func libnfcFetchesWhatTheChipSays() async throws {
        let target = CCIDHost.targetWithLongResponse()
        try await ReaderStand.with(.touchatag, target) { stand in
            let driver = try stand.driver()
            try driver.powerOn()
            #expect(try driver.transmit([0xFF, 0x00, 0x48, 0x00, 0x00]) == Array("ACR122U102".utf8))
            #expect(try driver.transmit(CCIDHost.through([0x02])) == [0x61, 8])
            let version: [UInt8] = [0xD5, 0x03, 0x32, 0x01, 0x04, 0x07, 0x90, 0x00]
            #expect(try driver.transmit(Self.fetch(8)) == version)
            // It is fetched once, and the next response takes its place.
            #expect(try driver.transmit(Self.fetch(8)) == [0x63, 0x00])
            #expect(try driver.transmit(CCIDHost.through([0x02])) == [0x61, 8])
            #expect(try Self.chip(driver, [0x12, 0x14]) == [0xD5, 0x13, 0x90, 0x00])
            // An error is told at once.
            #expect(try driver.transmit(CCIDHost.through([0x77])) == [0x63, 0x7F])
            try CCIDHost.expectCard(target) { try Self.chip(driver, $0) }
            // The slot's power is not the card's.
            #expect(try driver.send(0x63).card == 1)
            #expect(target.isPowered)
            // A search waits for a card, and its end is fetched, too.
            stand.server.pull()
            try driver.begin(0x6F, CCIDHost.through([0x4A, 0x01, 0x00]))
            stand.server.insert()
            let waiting = try driver.reply().data
            #expect(waiting.first == 0x61)
            #expect(try driver.transmit(Self.fetch(waiting.last ?? 0)).starts(with: [0xD5, 0x4B, 1, 1]))
        }
    }
}
