import TestSupport
import Testing

@testable import TapSimulator

/// A chip that is its own USB device, as libnfc's driver uses it.
@Suite(.timeLimit(.minutes(20)), .eightAtATime) struct PN53xReaderTests {
    /// Sends a command, and reads the acknowledgement and the response, a transfer each.
    private static func send(_ command: [UInt8], _ host: RedirectionHost) throws -> [UInt8] {
        #expect(try host.write(ChipReply.frame(command), to: 0x04) == 0)
        #expect(try host.read(from: 0x84).bytes == PN532Frames.acknowledge)
        let replies = try #require(try ChipReply.all(in: host.read(from: 0x84).bytes))
        guard case .response(let bytes) = replies.first else { throw RedirectionHost.Failure(description: "error") }
        return bytes
    }

    @Test(arguments: [USBReaderModel.scl3711, .scl3712, .logo, .pn533])
    func aTapCardAnswersThroughIt(_ model: USBReaderModel) async throws {
        let card = try SimulatedCard(SimulatedCardOptions(product: .tapsigner), waitDuration: .zero)
        try await ReaderStand.with(model, card) { stand in
            let host = try stand.host()
            // Before anything else, libnfc ends what may still be running: that is not answered.
            #expect(try host.write(PN532Frames.acknowledge, to: 0x04) == 0)
            #expect(try Self.send([0x02], host) == [0x03, 0x33, 0x02, 0x07, 0x07])
            // Unlike a PN532, it says first how it went with registers.
            #expect(try Self.send([0x06, 0x63, 0x02], host) == [0x07, 0x00, 0x80])
            #expect(try Self.send([0x08, 0x63, 0x02, 0x80], host) == [0x09, 0x00])
            #expect(try Self.send([0x4A, 0x01, 0x00], host).starts(with: [0x4B, 1, 1]))
            #expect(try Self.send([0x40, 0x01] + AppSide.select, host).suffix(2) == [0x90, 0x00])
            #expect(try Self.send([0x52, 0x01], host) == [0x53, 0x00])
            #expect(try Self.send([0x32, 0x01, 0x00], host) == [0x33])
            #expect(!card.hasPower)
        }
    }

    /// libnfc tells these chips apart by what they say, and reads their answers accordingly.
    @Test(arguments: [
        (USBReaderModel.pn531, [0x04, 0x02] as [UInt8]), (.sonypn531, [0x04, 0x02]), (.s360, [0x33, 0x01, 0x30, 0x07]),
    ])
    func olderChipsAnswerInTheirWay(_ model: USBReaderModel, _ firmware: [UInt8]) async throws {
        let card = try SimulatedCard(SimulatedCardOptions(product: .tapsigner), waitDuration: .zero)
        try await ReaderStand.with(model, card) { stand in
            let host = try stand.host()
            #expect(try Self.send([0x02], host) == [0x03] + firmware)
            #expect(try Self.send([0x06, 0x63, 0x02], host) == [0x07, 0x80])
            let found = try Self.send([0x4A, 0x01, 0x00], host)
            let described: [UInt8] =
                firmware.count == 2
                ? [0x44, 0x00, 0x20, 8, 0x88] + card.identifier : [0x00, 0x44, 0x20, 7] + card.identifier
            #expect(found.starts(with: [0x4B, 1, 1] + described))
            #expect(try Self.send([0x40, 0x01] + AppSide.select, host).suffix(2) == [0x90, 0x00])
            // libnfc lets go of the card before it switches the field off.
            let isSonys = model == .s360
            #expect(
                try Self.send([0x52, 0x01] + (isSonys ? [0x01] : []), host) == [0x53] + (isSonys ? [0x01] : []) + [0x00]
            )
            #expect(throws: RedirectionHost.Failure.self) {
                try Self.send([0x52] + (isSonys ? [0x01] : [0x01, 0x01]), host)
            }
            #expect(try Self.send([0x04], host) == [0x05, 0x00, 0x00, 0x00, 0x00])
            #expect(card.hasPower)
            #expect(try Self.send([0x32, 0x01, 0x00], host) == [0x33])
            #expect(!card.hasPower)
        }
    }

    /// What libnfc and the kernel send an S360 first; other chips refuse it.
    @Test func onlySonysChipKnowsSonysCommands() async throws {
        try await ReaderStand.with(.s360) { stand in
            let host = try stand.host()
            #expect(try Self.send([0x18, 0x01], host) == [0x19, 0x00])
            #expect(try Self.send([0x32, 0x82, 0x08, 0x01, 0x08], host) == [0x33])
        }
        try await ReaderStand.with(.pn533) { stand in
            let host = try stand.host()
            #expect(throws: RedirectionHost.Failure.self) { try Self.send([0x18, 0x01], host) }
            #expect(throws: RedirectionHost.Failure.self) { try Self.send([0x32, 0x82, 0x08, 0x01, 0x08], host) }
        }
    }

    @Test func longFramesComeInOneTransferAndWholePacketsAreRead() async throws {
        let long = [UInt8](repeating: 5, count: 256) + [0x90, 0x00]
        try await ReaderStand.with(.scl3711, FieldTarget { _ in long }) { stand in
            let host = try stand.host()
            _ = try Self.send([0x4A, 0x01, 0x00], host)
            #expect(try Self.send([0x40, 0x01] + [UInt8](repeating: 1, count: 260), host) == [0x41, 0x00] + long)
            // A host that reads packet by packet.
            try host.write(ChipReply.frame([0x40, 0x01, 1]), to: 0x04)
            var bytes: [UInt8] = []
            #expect(try host.read(64, from: 0x84).bytes == PN532Frames.acknowledge)
            while try ChipReply.all(in: bytes)?.isEmpty != false {
                let (status, part) = try host.read(64, from: 0x84)
                #expect(status == 0)
                bytes += part
            }
            #expect(try ChipReply.all(in: bytes) == [.response([0x41, 0x00] + long)])
            // One that has no room for a packet gets what fits, and is told.
            try host.write(ChipReply.frame([0x02]), to: 0x04)
            #expect(try host.read(4, from: 0x84) == (6, [0x00, 0x00, 0xFF, 0x00]))
        }
    }

    @Test func aPulledCardIsAStatus() async throws {
        try await ReaderStand.with(.pn533) { stand in
            let host = try stand.host()
            _ = try Self.send([0x4A, 0x01, 0x00], host)
            stand.server.pull()
            while !stand.said.contains(.pulled) { SimulatedCard.pause(.milliseconds(5)) }
            #expect(try Self.send([0x40, 0x01, 7], host) == [0x41, 0x01])
        }
    }

    /// A reset by the host cuts the card's power.
    @Test func aResetForgetsTheCard() async throws {
        let target = FieldTarget()
        try await ReaderStand.with(.scl3711, target) { stand in
            let host = try stand.host()
            _ = try Self.send([0x4A, 0x01, 0x00], host)
            #expect(target.isPowered)
            host.send(RedirectionHost.Kind.reset, 0)
            try host.configure()
            #expect(!target.isPowered)
            #expect(try Self.send([0x40, 0x01, 7], host) == [0x41, 0x27])
        }
    }

    /// A chip that was put to sleep, or set up, is as new when the reader is plugged in again.
    @Test func unpluggingCutsThePower() async throws {
        try await ReaderStand.with(.scl3711) { stand in
            let host = try stand.host()
            _ = try Self.send([0x12, 0x00], host)
            #expect(try Self.send([0x16, 0x20], host) == [0x17, 0x00])
            host.hangUp()
            let next = try stand.host()
            #expect(try Self.send([0x02], next) == [0x03, 0x33, 0x02, 0x07, 0x07])
            // With the card's answer to select, as after power.
            #expect(try Self.send([0x4A, 0x01, 0x00], next).count > 12)
        }
    }
}
