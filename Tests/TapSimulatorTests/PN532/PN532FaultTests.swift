import Testing

@testable import TapSimulator

/// What the chip does wrong when it is told to.
@Suite struct PN532FaultTests {
    private static let good: [ChipReply] = [.response([0x41, 0x00, 5, 0x90, 0x00])]

    @Test func aSilentChipSaysNothing() throws {
        var bench = ChipBench()
        try bench.activate()
        bench.chip.misbehave(.silent)
        bench.chip.receive(ChipReply.frame([0x40, 0x01, 5]), at: bench.now)
        bench.chip.receive(PN532Frames.negativeAcknowledge, at: bench.now)
        #expect(bench.chip.takeOutput().isEmpty)
        #expect(bench.chip.takeQuestion() == nil)
        bench.chip.misbehave(nil)
        #expect(try bench.send([0x40, 0x01, 5]) == Self.good)
    }

    @Test func aFaultComesOnceAtItsExchange() throws {
        for kind in PN532Fault.Kind.allCases {
            let target = FieldTarget()
            var bench = ChipBench(target)
            try bench.activate()
            #expect(try bench.send([0x40, 0x01, 5]) == Self.good)
            // Counted from the order on.
            bench.chip.misbehave(PN532Fault(kind).at(exchange: 2))
            #expect(try bench.send([0x40, 0x01, 5]) == Self.good)
            #expect(try bench.send([0x00, 0x06]) == [.response([0x01, 0x00])])
            try bench.begin([0x40, 0x01, 5])
            let question = bench.chip.takeQuestion()
            let apdu = try #require(question)
            bench.chip.cardAnswered(target.answer(apdu: apdu))
            let output = bench.chip.takeOutput()
            switch kind {
            case .silence: #expect(output.isEmpty)
            case .error: #expect(output == [0x00, 0x00, 0xFF, 0x01, 0xFF, 0x7F, 0x81, 0x00])
            case .truncation: #expect(try ChipReply.all(in: output) == nil)
            case .checksum: #expect(throws: ChipReply.Malformed.self) { try ChipReply.all(in: output) }
            }
            // The card has acted; the response can be fetched; the next exchange is good.
            #expect(target.apdus.count == 3)
            bench.chip.receive(PN532Frames.negativeAcknowledge, at: bench.now)
            #expect(try ChipReply.all(in: bench.chip.takeOutput()) == Self.good)
            #expect(try bench.send([0x40, 0x01, 5]) == Self.good)
        }
    }

    @Test func wrongChecksumsEverywhere() throws {
        var bench = ChipBench()
        bench.chip.misbehave(.wrongChecksum)
        for command in [[0x02], [0x4A, 0x01, 0x00]] as [[UInt8]] {
            try bench.begin(command)
            #expect(throws: ChipReply.Malformed.self) { try bench.replies() }
        }
    }
}
