import CardReaders
import SmartCard
import TestSupport
import Testing

/// One program at a time, for backends that cannot share a card.
extension ReaderConformance {
    @Test(arguments: ReaderBenchKind.exclusive)
    func aSecondClientIsRefusedAndDisturbsNothing(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            try bench.insertCard(ScriptedCard.echo)
            let channel = try bench.reader.connect()
            for count in UInt8(0)..<16 {
                let error = #expect(throws: ReaderError.self) { try bench.reader.connect() }
                #expect(error?.code == .readerBusy)
                #expect(error?.remedy.isEmpty == false)
                #expect(try channel.transmit([0, 0xE1, 0, count, 0]).count == Int(count) + 2)
            }
            channel.disconnect()
            #expect(try bench.reader.connect().transmit([0, 0xE1, 0, 1, 0]) == [0, 0x90, 0x00])
        }
    }
}
