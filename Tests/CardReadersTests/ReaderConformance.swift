import CardReaders
import SmartCard
import TestSupport
import Testing

/// What every reader backend must do, whatever moves its bytes.
@Suite struct ReaderConformance {
    @Test(arguments: ReaderBenchKind.allCases)
    func connectingWithoutACardSaysSo(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            let error = #expect(throws: ReaderError.self) { try bench.reader.connect() }
            #expect(error?.code == .noCard)
            #expect(error?.remedy.isEmpty == false)
        }
    }

    @Test(arguments: ReaderBenchKind.allCases)
    func theReaderNamesItself(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            #expect(!bench.reader.name.isEmpty)
            #expect(bench.reader.spec.hasPrefix("\(bench.reader.kind.rawValue):"))
        }
    }

    @Test(arguments: ReaderBenchKind.allCases)
    func bytesArriveAsTheyAre(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            try bench.insertCard(ScriptedCard.echo)
            let channel = try bench.reader.connect()
            #expect(try channel.exchange(.select(applicationIdentifier: [1, 2, 3, 4, 5])).status == .success)
            for count in 0...255 {
                let data = ScriptedCard.counting(count)
                let command = try CommandAPDU(class: 0, instruction: 0xE0, parameter1: 0, parameter2: 0, data: data)
                #expect(try channel.exchange(command) == ResponseAPDU(data: data, status: .success))
            }
            for count in 0...256 {
                let answer = try channel.transmit([0x00, 0xE1, UInt8(count >> 8), UInt8(count & 0xFF), 0x00])
                #expect(answer == ScriptedCard.counting(count) + [0x90, 0x00])
            }
        }
    }

    @Test(arguments: ReaderBenchKind.allCases)
    func whatIsNoCommandNeverReachesTheCard(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            try bench.insertCard { $0.count < 4 ? .vanish : .answer([0x90, 0x00]) }
            let channel = try bench.reader.connect()
            for count in 0...3 {
                let error = #expect(throws: ReaderError.self) { try channel.transmit(ScriptedCard.counting(count)) }
                #expect(error?.code == .transportFailed)
            }
            #expect(try channel.transmit([0, 1, 2, 3]) == [0x90, 0x00])
        }
    }

    @Test(arguments: ReaderBenchKind.allCases)
    func aClosedChannelStaysClosed(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            try bench.insertCard(ScriptedCard.agree)
            let channel = try bench.reader.connect()
            try channel.beginTransaction()
            channel.disconnect()
            channel.endTransaction()
            #expect(throws: ReaderError.self) { try channel.transmit([0, 1, 2, 3]) }
            #expect(throws: ReaderError.self) { try channel.beginTransaction() }
            // Nothing is left of the transaction.
            #expect(try bench.reader.connect().transmit([0, 1, 2, 3]) == [0x90, 0x00])
        }
    }
}
