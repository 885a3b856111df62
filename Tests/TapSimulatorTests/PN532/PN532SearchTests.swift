import Testing

@testable import TapSimulator

/// Finding, activating, releasing and losing the card.
@Suite struct PN532SearchTests {
    private static let select: [UInt8] = [0x4A, 0x01, 0x00]
    private static let finite: [UInt8] = [0x32, 0x05, 0x00, 0x01, 0x02]
    private static let ats: [UInt8] = [0x0D, 0x78, 0x80, 0x70, 0x00] + Array("Coinkite".utf8)

    @Test(arguments: [[0x04, 1, 2, 3, 4, 5, 6], [0x08, 7, 8, 9]] as [[UInt8]])
    func aCardIsDescribed(identifier: [UInt8]) throws {
        let target = FieldTarget(identifier: identifier)
        var bench = ChipBench(target)
        let kind: [UInt8] = [0x00, identifier.count == 7 ? 0x44 : 0x04, 0x20, UInt8(identifier.count)]
        #expect(try bench.send(Self.select) == [.response([0x4B, 1, 1] + kind + identifier + Self.ats)])
        #expect(target.isPowered)
        #expect(try bench.send([0x04]) == [.response([0x05, 0x00, 0x00, 1, 1, 0, 0, 0, 0])])
        // Without automatic RATS there is no ATS, and no blocks.
        bench = ChipBench(target)
        _ = try bench.send([0x12, 0x04])
        #expect(try bench.send(Self.select) == [.response([0x4B, 1, 1] + kind + identifier)])
        #expect(try bench.send([0x40, 1, 0]) == [.response([0x41, 0x01])])
    }

    @Test func aCardIsCalledByName() throws {
        var bench = ChipBench(FieldTarget(identifier: [0x04, 1, 2, 3, 4, 5, 6]))
        _ = try bench.send(Self.finite)
        #expect(try bench.send(Self.select + [0x88, 0x04, 1, 2, 3, 4, 5, 6]).count == 1)
        #expect(try bench.send(Self.select + [0x88, 0x04, 1, 2, 3, 4, 5, 7]).isEmpty)
        bench.pass(.seconds(1))
        #expect(try bench.replies() == [.response([0x4B, 0])])
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt8]) func otherKindsAreNotThere(kind: UInt8) throws {
        let target = FieldTarget()
        var bench = ChipBench(target)
        _ = try bench.send(Self.finite)
        #expect(try bench.send([0x4A, 0x01, kind, 0x00]).isEmpty)
        bench.pass(.seconds(1))
        #expect(try bench.replies() == [.response([0x4B, 0])])
        #expect(target.powerCycles == 0)
    }

    @Test func aFiniteSearchEndsAnInfiniteOneDoesNot() throws {
        var bench = ChipBench(nil)
        _ = try bench.send(Self.finite)
        #expect(try bench.send(Self.select).isEmpty)
        #expect(bench.chip.deadline != nil)
        bench.pass(.milliseconds(20))
        #expect(try bench.replies().isEmpty)
        bench.pass(.milliseconds(20))
        #expect(try bench.replies() == [.response([0x4B, 0])])
        _ = try bench.send([0x32, 0x05, 0xFF, 0xFF, 0xFF])
        #expect(try bench.send(Self.select).isEmpty)
        #expect(bench.chip.deadline == nil)
        bench.pass(.seconds(3_600))
        #expect(try bench.replies().isEmpty)
        // And is answered at once when a card comes.
        let target = FieldTarget()
        bench.chip.lay(target)
        #expect(try bench.replies().count == 1)
        #expect(target.isPowered)
    }

    @Test(arguments: [ChipReply.frame([0x02]), PN532Frames.acknowledge]) func theHostEndsASearch(bytes: [UInt8]) throws
    {
        var bench = ChipBench(nil)
        #expect(try bench.send(Self.select).isEmpty)
        bench.chip.receive(bytes, at: bench.now)
        _ = try bench.replies()
        bench.chip.lay(FieldTarget())
        #expect(try bench.replies().isEmpty)
        #expect(try bench.send(Self.select).count == 1)
    }

    @Test func pollingNamesTheKindFound() throws {
        let description: [UInt8] = [1, 0x00, 0x44, 0x20, 7, 0x04, 1, 2, 3, 4, 5, 6]
        var bench = ChipBench()
        for types in [[0x20, 0x10, 0x11], [0x00]] as [[UInt8]] {
            #expect(
                try bench.send([0x60, 0xFF, 0x02] + types)
                    == [.response([0x61, 1, 0x20, 25] + description + Self.ats)])
        }
        _ = try bench.send([0x12, 0x04])
        #expect(try bench.send([0x60, 0x01, 0x01, 0x10]) == [.response([0x61, 1, 0x10, 12] + description)])
        // Two rounds of two kinds at 150 ms.
        bench.chip.takeAway()
        #expect(try bench.send([0x60, 0x02, 0x01, 0x20, 0x23]).isEmpty)
        bench.pass(.milliseconds(599))
        #expect(try bench.replies().isEmpty)
        bench.pass(.milliseconds(1))
        #expect(try bench.replies() == [.response([0x61, 0])])
        #expect(try bench.send([0x60, 0xFF, 0x01, 0x20]).isEmpty)
        bench.pass(.seconds(100))
        bench.chip.lay(FieldTarget())
        #expect(try bench.replies().count == 1)
        // Kinds that a tap card is not.
        #expect(try bench.send([0x60, 0x01, 0x01, 0x11, 0x23]).isEmpty)
    }

    @Test func theFieldIsTheCardsPower() throws {
        let target = FieldTarget()
        var bench = ChipBench(target)
        try bench.activate()
        #expect(target.powerCycles == 1)
        // Activated again, or sent to sleep: the power stays.
        try bench.activate()
        #expect(try bench.send([0x44, 0x00]) == [.response([0x45, 0x00])])
        #expect(try bench.send([0x40, 1, 0]) == [.response([0x41, 0x27])])
        try bench.activate()
        #expect(try bench.send([0x52, 0x00]) == [.response([0x53, 0x00])])
        #expect(target.isPowered)
        try bench.activate()
        #expect(target.powerCycles == 1)
        _ = try bench.send([0x32, 0x01, 0x00])
        #expect(!target.isPowered)
        #expect(try bench.send([0x40, 1, 0]) == [.response([0x41, 0x27])])
        _ = try bench.send([0x32, 0x01, 0x01])
        #expect(!target.isPowered)
        try bench.activate()
        #expect(target.powerCycles == 2)
        _ = try bench.send([0x16, 0xF0])
        #expect(!target.isPowered)
    }

    @Test func aSleepingCardIsCalledBack() throws {
        var bench = ChipBench()
        #expect(try bench.send([0x54, 0x01]) == [.response([0x55, 0x27])])
        try bench.activate()
        #expect(try bench.send([0x54, 0x01]) == [.response([0x55, 0x00])])
        _ = try bench.send([0x44, 0x01])
        #expect(try bench.send([0x54, 0x01]) == [.response([0x55, 0x00])])
        #expect(try bench.send([0x40, 1, 7]) == [.response([0x41, 0x00, 7, 0x90, 0x00])])
        _ = try bench.send([0x44, 0x01])
        bench.chip.takeAway()
        #expect(try bench.send([0x54, 0x01]) == [.response([0x55, 0x01])])
    }

    @Test func presenceIsSeen() throws {
        var bench = ChipBench()
        #expect(try bench.send([0x00, 0x06]) == [.response([0x01, 0x27])])
        try bench.activate()
        #expect(try bench.send([0x00, 0x06]) == [.response([0x01, 0x00])])
        #expect(try bench.send([0x42, 0xB2]) == [.response([0x43, 0x00, 0xA3])])
        bench.chip.takeAway()
        #expect(try bench.send([0x00, 0x06]) == [.response([0x01, 0x01])])
        #expect(try bench.send([0x42, 0xB2]) == [.response([0x43, 0x01])])
        // Laid back it has forgotten everything, and answers no blocks.
        bench.chip.lay(FieldTarget())
        #expect(try bench.send([0x00, 0x06]) == [.response([0x01, 0x01])])
        #expect(try bench.send([0x42, 0xB2]) == [.response([0x43, 0x01])])
    }

    @Test func aMuteCardIsNotFound() throws {
        let target = FieldTarget()
        target.setMute(true)
        var bench = ChipBench(target)
        _ = bench.chip.takeEvents()
        _ = try bench.send(Self.finite)
        #expect(try bench.send(Self.select).isEmpty)
        #expect(bench.chip.takeEvents() == [.cardFailed(SimulatedCardError(.fileFailed, "mute"))])
        bench.pass(.seconds(1))
        #expect(try bench.replies() == [.response([0x4B, 0])])
    }
}
