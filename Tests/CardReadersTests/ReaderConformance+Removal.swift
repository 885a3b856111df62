import CardReaders
import Glibc
import SmartCard
import TestSupport
import Testing

extension ReaderConformance {
    @Test(arguments: ReaderBenchKind.allCases)
    func aCardTakenBetweenExchangesIsMissed(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            try bench.insertCard(ScriptedCard.agree)
            let channel = try bench.reader.connect()
            #expect(try channel.transmit([0, 1, 2, 3]) == [0x90, 0x00])
            try bench.removeCard()
            let error = #expect(throws: ReaderError.self) { try channel.transmit([0, 1, 2, 3]) }
            #expect(error?.code == .cardRemoved)
            #expect(error?.isCardLost == true)
            let transaction = #expect(throws: ReaderError.self) { try channel.beginTransaction() }
            #expect(transaction?.code == .cardRemoved)
            let line = #expect(throws: ReaderError.self) { try channel.reconnect() }
            #expect(line?.code == .noCard)
        }
    }

    @Test(arguments: ReaderBenchKind.allCases)
    func aCardTornAwayInTheMiddleIsMissed(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            try bench.insertCard(ScriptedCard.vanish)
            let channel = try bench.reader.connect()
            try channel.beginTransaction()
            #expect(try channel.transmit([0, 1, 2, 3]) == [0x90, 0x00])
            let error = #expect(throws: ReaderError.self) { try channel.transmit([0, 0xE2, 0, 0]) }
            #expect(error?.code == .cardRemoved)
            channel.endTransaction()
        }
    }

    @Test(arguments: ReaderBenchKind.allCases)
    func aCardTakenUnnoticedIsMissed(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            try bench.insertCard(ScriptedCard.agree)
            let channel = try bench.reader.connect()
            try bench.after(.zero, .remove)
            // The reader may answer for a moment yet; then the loss shows, and nothing but the loss.
            var failure: ReaderError?
            for _ in 0..<10_000 where failure == nil {
                do throws(ReaderError) { _ = try channel.transmit([0, 1, 2, 3]) } catch { failure = error }
            }
            #expect(failure?.code == .cardRemoved)
        }
    }

    @Test(arguments: ReaderBenchKind.allCases)
    func theLineIsTakenUpAgainWhenTheCardIsBack(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            try bench.insertCard(ScriptedCard.saying(1))
            let channel = try bench.reader.connect()
            for card in UInt8(2)...4 {
                try bench.removeCard()
                #expect(throws: ReaderError.self) { try channel.transmit([0, 1, 2, 3]) }
                try bench.insertCard(ScriptedCard.saying(card))
                let error = #expect(throws: ReaderError.self) { try channel.transmit([0, 1, 2, 3]) }
                #expect(error?.isCardLost == true)
                try channel.reconnect()
                try channel.beginTransaction()
                #expect(try channel.transmit([0, 1, 2, 3]) == [card, 0x90, 0x00])
                channel.endTransaction()
            }
        }
    }

    @Test(arguments: ReaderBenchKind.allCases)
    func aCardLaidBackBetweenTransactionsIsNoticedBeforeACommandIsLostOnIt(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            try bench.insertCard(ScriptedCard.agree)
            let channel = try bench.reader.connect()
            for _ in 0..<3 {
                try channel.beginTransaction()
                #expect(try channel.transmit([0, 1, 2, 3]) == [0x90, 0x00])
                channel.endTransaction()
            }
            try bench.removeCard()
            try bench.insertCard(ScriptedCard.saying(2))
            let error = #expect(throws: ReaderError.self) { try channel.beginTransaction() }
            #expect(error?.isCardLost == true)
            channel.disconnect()
            #expect(try bench.reader.connect().transmit([0, 1, 2, 3]) == [2, 0x90, 0x00])
        }
    }

    @Test(arguments: ReaderBenchKind.shared)
    func aLossInATransactionEndsIt(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            try bench.insertCard(ScriptedCard.agree)
            let channel = try bench.reader.connect()
            try channel.beginTransaction()
            try bench.removeCard()
            #expect(throws: ReaderError.self) { try channel.transmit([0, 1, 2, 3]) }
            try bench.insertCard(ScriptedCard.saying(2))
            try channel.reconnect()
            let other = try bench.reader.connect()
            #expect(try other.transmit([0, 1, 2, 3]) == [2, 0x90, 0x00])
            other.disconnect()
            #expect(try channel.transmit([0, 1, 2, 3]) == [2, 0x90, 0x00])
        }
    }

    @Test(arguments: ReaderBenchKind.allCases)
    func aSlowAnswerIsWaitedFor(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            try bench.insertCard { _ in
                // Longer than libnfc waits by itself, 0.35 s, and than the chip may take for a look, 1 s.
                usleep(1_200_000)
                return .answer([7, 0x90, 0x00])
            }
            #expect(try bench.reader.connect().transmit([0, 1, 2, 3]) == [7, 0x90, 0x00])
        }
    }
}
