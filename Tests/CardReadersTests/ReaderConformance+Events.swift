import CardReaders
import Glibc
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

    @Test(.timeLimit(.minutes(20)), arguments: ReaderBenchKind.allCases)
    func watchingEndsWithItsTask(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            let hasSeenReader = Flag()
            let isOver = Flag()
            let watcher = Task {
                for await _ in bench.events() { hasSeenReader.set() }
                isOver.set()
            }
            while !hasSeenReader.isSet { usleep(10_000) }
            watcher.cancel()
            while !isOver.isSet { usleep(10_000) }
        }
    }
}
