import Testing

@testable import TapSimulator

/// What goes to the card and what comes back.
@Suite struct PN532ExchangeTests {
    @Test func everyLengthGoesUpAndDown() throws {
        let target = FieldTarget()
        var bench = ChipBench(target)
        try bench.activate()
        for count in [1, 2, 5, 61, 250, 251, 252, 253, 254, 255, 256, 258, 260] {
            let apdu = (0..<count).map { UInt8(truncatingIfNeeded: $0 &+ count) }
            #expect(try bench.send([0x40, 1] + apdu) == [.response([0x41, 0x00] + apdu + [0x90, 0x00])], "\(count)")
            #expect(target.apdus.last == apdu)
        }
    }

    @Test func longOnesGoInParts() throws {
        let target = FieldTarget()
        var bench = ChipBench(target)
        try bench.activate()
        let apdu = (0..<600).map { UInt8(truncatingIfNeeded: $0 &* 5) }
        #expect(try bench.send([0x40, 0x41] + apdu.prefix(262)) == [.response([0x41, 0x00])])
        #expect(try bench.send([0x40, 0x41] + apdu.dropFirst(262).prefix(262)) == [.response([0x41, 0x00])])
        #expect(target.apdus.isEmpty)
        var answer: [UInt8] = []
        var replies = try bench.send([0x40, 0x01] + apdu.dropFirst(524))
        #expect(target.apdus == [apdu])
        for part in [262, 262, 78] {
            guard case .response(let bytes)? = replies.first, bytes.count == part + 2 else {
                Issue.record("no part of \(part): \(replies)")
                return
            }
            #expect(bytes[1] == (part == 262 ? 0x40 : 0x00))
            answer += bytes.dropFirst(2)
            replies = part == 262 ? try bench.send([0x40, 0x01]) : []
        }
        #expect(answer == apdu + [0x90, 0x00])
    }

    @Test func aCommandInPartsHasAnEnd() throws {
        var bench = ChipBench()
        try bench.activate()
        let part = [0x40, 0x41] + [UInt8](repeating: 0, count: 262)
        for _ in 0..<250 { #expect(try bench.send(part) == [.response([0x41, 0x00])]) }
        #expect(try bench.send(part) == [.response([0x41, 0x07])])
        #expect(try bench.send([0x40, 0x01, 5]) == [.response([0x41, 0x00, 5, 0x90, 0x00])])
    }

    @Test func withoutATargetNothingGoes() throws {
        let target = FieldTarget()
        var bench = ChipBench(target)
        #expect(try bench.send([0x40, 0x01, 5]) == [.response([0x41, 0x27])])
        try bench.activate()
        #expect(try bench.send([0x40, 0x02, 5]) == [.response([0x41, 0x27])])
        #expect(try bench.send([0x40, 0x00, 5]) == [.response([0x41, 0x27])])
        #expect(target.apdus.isEmpty)
        // GetGeneralStatus tells the last error.
        #expect(try bench.send([0x04]) == [.response([0x05, 0x27, 0x00, 1, 1, 0, 0, 0, 0])])
    }

    @Test func theCardLeavesBeforeTheExchange() throws {
        let target = FieldTarget()
        var bench = ChipBench(target)
        try bench.activate()
        bench.chip.takeAway()
        #expect(!target.isPowered)
        #expect(try bench.send([0x40, 0x01, 5]) == [.response([0x41, 0x01])])
        #expect(try bench.send([0x40, 0x01, 5]) == [.response([0x41, 0x27])])
        #expect(target.apdus.isEmpty)
    }

    @Test func theCardLeavesAndReturnsUnseen() throws {
        let target = FieldTarget()
        var bench = ChipBench(target)
        try bench.activate()
        bench.chip.lay(target)
        #expect(try bench.send([0x40, 0x01, 5]) == [.response([0x41, 0x01])])
        try bench.activate()
        #expect(target.powerCycles == 2)
        #expect(try bench.send([0x40, 0x01, 5]) == [.response([0x41, 0x00, 5, 0x90, 0x00])])
    }

    @Test func theCardLeavesWhileItWorks() throws {
        var bench = ChipBench()
        try bench.activate()
        try bench.begin([0x40, 0x01, 5])
        #expect(bench.chip.takeQuestion() == [5])
        #expect(try bench.replies().isEmpty)
        bench.chip.takeAway()
        #expect(try bench.replies() == [.response([0x41, 0x01])])
        // What it says afterwards nobody hears.
        bench.chip.cardAnswered([0x90, 0x00])
        #expect(try bench.replies().isEmpty)
    }

    @Test func theCardSaysThatItLeft() throws {
        var bench = ChipBench(FieldTarget { _ in nil })
        try bench.activate()
        #expect(try bench.send([0x40, 0x01, 5]) == [.response([0x41, 0x01])])
    }

    @Test(arguments: [ChipReply.frame([0x02]), PN532Frames.acknowledge])
    func theHostEndsAnExchange(bytes: [UInt8]) throws {
        var bench = ChipBench()
        try bench.activate()
        try bench.begin([0x40, 0x01, 5])
        #expect(bench.chip.takeQuestion() == [5])
        bench.chip.receive(bytes, at: bench.now)
        _ = try bench.replies()
        bench.chip.cardAnswered([0x90, 0x00])
        #expect(try bench.replies().isEmpty)
        #expect(try bench.send([0x40, 0x01, 6]) == [.response([0x41, 0x00, 6, 0x90, 0x00])])
    }

    @Test func blocksGoByHand() throws {
        let target = FieldTarget()
        var bench = ChipBench(target)
        try bench.activate()
        #expect(try bench.send([0x42, 0x02, 5]) == [.response([0x43, 0x00, 0x02, 5, 0x90, 0x00])])
        // The card's last block once more, or the acknowledgement of the other number.
        #expect(try bench.send([0x42, 0xB2]) == [.response([0x43, 0x00, 0x02, 5, 0x90, 0x00])])
        #expect(try bench.send([0x42, 0xB3]) == [.response([0x43, 0x00, 0xA2])])
        #expect(try bench.send([0x42, 0x03, 6]) == [.response([0x43, 0x00, 0x03, 6, 0x90, 0x00])])
        #expect(target.apdus == [[5], [6]])
        #expect(try bench.send([0x42, 0x99]) == [.response([0x43, 0x01])])
        #expect(try bench.send([0x42, 0xC2]) == [.response([0x43, 0x00, 0xC2])])
        #expect(try bench.send([0x42, 0x02, 5]) == [.response([0x43, 0x01])])
        // Sent as for other kinds of cards: no answer.
        try bench.activate()
        _ = try bench.send([0x08, 0x63, 0x02, 0x83])
        #expect(try bench.send([0x42, 0x02, 5]) == [.response([0x43, 0x01])])
    }

    /// Checksums as published: ISO 14443-3, annex B; and those of a reader's log.
    @Test func aCardIsSelectedByHand() throws {
        #expect(AirChecksum.add(to: [0x00, 0x00]) == [0x00, 0x00, 0xA0, 0x1E])
        #expect(AirChecksum.add(to: [0x12, 0x34]) == [0x12, 0x34, 0x26, 0xCF])
        #expect(AirChecksum.add(to: [0xE0, 0x50]) == [0xE0, 0x50, 0xBC, 0xA5])
        #expect(AirChecksum.add(to: [0x50, 0x00]) == [0x50, 0x00, 0x57, 0xCD])
        var bench = ChipBench(FieldTarget(identifier: [0x04, 1, 2, 3, 4, 5, 6]))
        func raw(_ frame: [UInt8], _ bench: inout ChipBench) throws -> [UInt8]? {
            guard case .response(let bytes)? = try bench.send([0x42] + frame).first else { return nil }
            return bytes.dropFirst().first == 0x00 ? Array(bytes.dropFirst(2)) : nil
        }
        _ = try bench.send([0x32, 0x01, 0x01])
        _ = try bench.send([0x08, 0x63, 0x02, 0x00, 0x63, 0x03, 0x00, 0x63, 0x3D, 0x07])
        #expect(try raw([0x26], &bench) == [0x44, 0x00])
        _ = try bench.send([0x08, 0x63, 0x3D, 0x00])
        #expect(try raw([0x95, 0x20], &bench) == nil)
        #expect(try raw([0x93, 0x20], &bench) == [0x88, 0x04, 1, 2, 0x8F])
        #expect(try raw(AirChecksum.add(to: [0x93, 0x70, 0x88, 0x04, 1, 2, 0x8E]), &bench) == nil)
        #expect(try raw([0x93, 0x70, 0x88, 0x04, 1, 2, 0x8F, 0, 0], &bench) == nil)
        #expect(
            try raw(AirChecksum.add(to: [0x93, 0x70, 0x88, 0x04, 1, 2, 0x8F]), &bench) == AirChecksum.add(to: [0x04]))
        #expect(try raw([0x95, 0x20], &bench) == [3, 4, 5, 6, 4])
        #expect(try raw(AirChecksum.add(to: [0x95, 0x70, 3, 4, 5, 6, 4]), &bench) == AirChecksum.add(to: [0x20]))
        #expect(try raw([0xE0, 0x50, 0xBC, 0xA5], &bench)?.count == 15)
        #expect(try raw(AirChecksum.add(to: [0x02, 9]), &bench) == AirChecksum.add(to: [0x02, 9, 0x90, 0x00]))
        #expect(try raw(AirChecksum.add(to: [0xC2]), &bench) == AirChecksum.add(to: [0xC2]))
        // Asleep: it hears the call for everybody only.
        _ = try bench.send([0x08, 0x63, 0x3D, 0x07])
        #expect(try raw([0x26], &bench) == nil)
        #expect(try raw([0x52], &bench) == [0x44, 0x00])
    }
}
