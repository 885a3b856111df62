import TestSupport
import Testing

@testable import TapSimulator

/// The ACR122U's own commands, and the chip behind them, as libnfc and the kernel use it.
@Suite(.timeLimit(.minutes(20)), .eightAtATime) struct ACR122UTests {
    /// The chip's response to a frame, sent instead of a card's command.
    private static func chip(_ driver: CCIDHost, _ frame: [UInt8]) throws -> [UInt8] {
        try driver.transmit(CCIDHost.through(frame))
    }

    @Test func theReaderAnswersForItself() async throws {
        try await ReaderStand.with(.acr122u) { stand in
            stand.server.pull()
            let driver = try stand.driver()
            // As libnfc begins: without a card, power fails, and the rest works all the same.
            #expect(try driver.send(0x62).command == 1)
            #expect(try driver.transmit([0xFF, 0x00, 0x51, 0x00, 0x00]) == [0x90, 0x00])
            #expect(try driver.transmit([0xFF, 0x00, 0x50, 0x00, 0x00]) == [0x90, 0x00])
            #expect(try driver.transmit([0xFF, 0x00, 0x48, 0x00, 0x00]) == Array("ACR122U207".utf8))
            #expect(try driver.transmit([0xFF, 0x00, 0x40, 0xD0, 4, 5, 5, 1, 1]) == [0x90, 0x00])
            // The same as an escape message, as libccid and the kernel send it.
            let version = try driver.send(0x6B, CCIDHost.through([0x02]))
            #expect(version.kind == 0x83 && version.command == 0)
            #expect(version.data == [0xD5, 0x03, 0x32, 0x01, 0x04, 0x07, 0x90, 0x00])
            // Nonsense.
            for nonsense in [
                [0xFF, 0x00, 0x00, 0x00, 0x05, 0xD4, 0x02], [0xFF, 0x00, 0x00, 0x00, 0x02, 0xD5, 0x02],
                [0xFF, 0x00, 0x77, 0x00, 0x00], [0xFF, 0x00], [0xFF, 0x01, 0x00, 0x00, 0x00],
            ] as [[UInt8]] {
                #expect(try driver.transmit(nonsense) == [0x63, 0x00])
            }
            #expect(try Self.chip(driver, [0x77]) == [0x63, 0x7F])
        }
    }

    @Test func libnfcFindsTheCardAndTalksToIt() async throws {
        let target = CCIDHost.targetWithLongResponse()
        try await ReaderStand.with(.acr122u, target) { stand in
            let driver = try stand.driver()
            try driver.powerOn()
            #expect(try Self.chip(driver, [0x12, 0x14]) == [0xD5, 0x13, 0x90, 0x00])
            #expect(try Self.chip(driver, [0x32, 0x01, 0x00]) == [0xD5, 0x33, 0x90, 0x00])
            #expect(!target.isPowered)
            #expect(try driver.send(0x65).card == 1)
            try CCIDHost.expectCard(target) { try Self.chip(driver, $0) }
            // It sleeps when libnfc has closed it, and its reader wakes it.
            #expect(try Self.chip(driver, [0x16, 0xF0]) == [0xD5, 0x17, 0x00, 0x90, 0x00])
            #expect(try Self.chip(driver, [0x02]).count == 8)
            try driver.powerOn()
            #expect(try driver.transmit([7]) == [7, 0x90, 0x00])
        }
    }

    /// A search goes on until a card comes, and any other command ends it.
    @Test func aSearchWaitsForACard() async throws {
        try await ReaderStand.with(.acr122u) { stand in
            stand.server.pull()
            let driver = try stand.driver()
            try driver.begin(0x6F, CCIDHost.through([0x4A, 0x01, 0x00]))
            #expect(try Self.chip(driver, [0x02]).count == 8)
            try driver.begin(0x6F, CCIDHost.through([0x4A, 0x01, 0x00]))
            stand.server.insert()
            #expect(try driver.reply().data.starts(with: [0xD5, 0x4B, 1, 1]))
            stand.server.pull()
            #expect(try Self.chip(driver, [0x40, 0x01, 7]) == [0xD5, 0x41, 0x01, 0x90, 0x00])
        }
    }
}
