import CardReaders
import Foundation
import SmartCard
import TestSupport
import Testing

/// The backend dies under us, or the reader is unplugged, and comes back.
extension ReaderConformance {
    @Test(arguments: ReaderBenchKind.allCases)
    func aBackendThatDiesAndComesBackIsFoundAgain(_ kind: ReaderBenchKind) async throws {
        try await kind.withMortalBench { bench in
            try bench.insertCard(ScriptedCard.saying(1))
            let channel = try bench.reader.connect()
            try channel.beginTransaction()
            #expect(try channel.transmit([0, 1, 2, 3]) == [1, 0x90, 0x00])

            bench.killBackend()
            for _ in 0..<2 {
                let exchange = #expect(throws: ReaderError.self) { try channel.transmit([0, 1, 2, 3]) }
                #expect(exchange?.code == .readerGone)
                #expect(exchange?.isReaderLost == true)
                let transaction = #expect(throws: ReaderError.self) { try channel.beginTransaction() }
                #expect(transaction?.code == .readerGone)
            }
            let line = #expect(throws: ReaderError.self) { try channel.reconnect() }
            #expect(line?.isReaderLost == true)

            try bench.startBackend()
            try bench.insertCard(ScriptedCard.saying(2))
            try channel.reconnect()
            try channel.beginTransaction()
            #expect(try channel.transmit([0, 1, 2, 3]) == [2, 0x90, 0x00])
            channel.endTransaction()
        }
    }

    @Test(arguments: ReaderBenchKind.allCases)
    func aRestartUnderAnOpenChannelIsNoticed(_ kind: ReaderBenchKind) async throws {
        try await kind.withMortalBench { bench in
            try bench.insertCard(ScriptedCard.saying(1))
            let channel = try bench.reader.connect()
            bench.killBackend()
            try bench.startBackend()
            try bench.insertCard(ScriptedCard.saying(2))
            #expect(throws: ReaderError.self) { try channel.transmit([0, 1, 2, 3]) }
            try channel.reconnect()
            #expect(try channel.transmit([0, 1, 2, 3]) == [2, 0x90, 0x00])
        }
    }

    @Test(arguments: ReaderBenchKind.allCases)
    func aBackendThatDiesInAnExchangeIsMissed(_ kind: ReaderBenchKind) async throws {
        try await kind.withMortalBench { bench in
            let (isAsked, isOver) = (Flag(), Flag())
            try bench.insertCard { _ in
                isAsked.set()
                // While the exchange lasts, the card does not answer.
                isOver.wait()
                return .answer([0x90, 0x00])
            }
            let channel = try bench.reader.connect()
            Thread.detachNewThread {
                isAsked.wait()
                bench.killBackend()
            }
            let error = #expect(throws: ReaderError.self) { try channel.transmit([0, 1, 2, 3]) }
            isOver.set()
            #expect(error?.isCardLost == true || error?.isReaderLost == true, "\(String(describing: error))")
            #expect(isAsked.isSet)
        }
    }

    @Test(arguments: ReaderBenchKind.allCases)
    func waitingEndsWithTheBackend(_ kind: ReaderBenchKind) async throws {
        try await kind.withMortalBench { bench in
            let isOver = Flag()
            // After a first look the reader is open, so that the wait is under way in a moment: nothing tells when.
            #expect(throws: ReaderError.self) { try bench.reader.waitForCard(isPresent: true, timeout: .zero) }
            Thread.detachNewThread {
                let error = #expect(throws: ReaderError.self) {
                    try bench.reader.waitForCard(isPresent: true, timeout: .seconds(60))
                }
                #expect(error?.isReaderLost == true)
                isOver.set()
            }
            usleep(200_000)
            bench.killBackend()
            #expect(isOver.wait())
        }
    }

    @Test(arguments: ReaderBenchKind.allCases)
    func watchingOutlivesTheBackend(_ kind: ReaderBenchKind) async throws {
        try await kind.withMortalBench { bench in
            let spec = bench.reader.spec
            let log = EventLog(bench.events())
            #expect(log.next() == .readerAttached(spec: spec))
            try bench.insertCard(ScriptedCard.agree)
            #expect(log.next() == .cardInserted(spec: spec))
            bench.killBackend()
            #expect(log.next() == .cardRemoved(spec: spec))
            #expect(log.next() == .readerDetached(spec: spec))
            try bench.startBackend()
            #expect(log.next() == .readerAttached(spec: spec))
        }
    }
}
