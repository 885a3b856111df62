import CardReaders
import SmartCard
import TestSupport
import Testing

extension ReaderConformance {
    @Test(arguments: ReaderBenchKind.allCases)
    func whatHappensIsTold(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            let spec = bench.reader.spec
            let log = EventLog(bench.events())
            #expect(log.next() == .readerAttached(spec: spec))
            for _ in 0..<3 {
                try bench.insertCard(ScriptedCard.agree)
                #expect(log.next() == .cardInserted(spec: spec))
                try bench.removeCard()
                #expect(log.next() == .cardRemoved(spec: spec))
            }
        }
    }

    @Test(arguments: ReaderBenchKind.allCases)
    func aCardThatLiesThereIsTold(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            try bench.insertCard(ScriptedCard.agree)
            let log = EventLog(bench.events())
            #expect(log.next() == .readerAttached(spec: bench.reader.spec))
            #expect(log.next() == .cardInserted(spec: bench.reader.spec))
        }
    }

    @Test(arguments: ReaderBenchKind.allCases)
    func aCardIsUsedWhileItsReaderIsWatched(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            let log = EventLog(bench.events())
            #expect(log.next() == .readerAttached(spec: bench.reader.spec))
            try bench.insertCard(ScriptedCard.agree)
            #expect(log.next() == .cardInserted(spec: bench.reader.spec))
            for _ in 0..<3 {
                let channel = try bench.reader.connect()
                for _ in 0..<50 { #expect(try channel.transmit([0, 1, 2, 3]) == [0x90, 0x00]) }
                channel.disconnect()
            }
            try bench.removeCard()
            #expect(log.next() == .cardRemoved(spec: bench.reader.spec))
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: ReaderBenchKind.allCases)
    func watchingEndsWithItsTask(_ kind: ReaderBenchKind) async throws {
        let events = try await watch(kind)
        let hasSeenReader = Flag()
        let watcher = Task {
            for await _ in events { hasSeenReader.set() }
        }
        while !hasSeenReader.isSet { try await Task.sleep(for: .milliseconds(10)) }
        watcher.cancel()
        await watcher.value
    }

    private func watch(_ kind: ReaderBenchKind) async throws -> AsyncStream<ReaderEvent> {
        switch kind {
        case .pcsc:
            try await PCSCDaemon.ensureRunning()
            return PCSCBackend().events()
        case .nfc: return try NFCBench().events()
        }
    }
}
