import CardReaders
import Foundation
import SmartCard
import TestSupport
import Testing

/// Several programs at one card, for backends that allow it.
extension ReaderConformance {
    @Test(arguments: ReaderBenchKind.shared)
    func severalChannelsShareACard(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            try bench.insertCard(ScriptedCard.echo)
            let channels = try (0..<4).map { _ in try bench.reader.connect() }
            for count in UInt8(0)..<16 {
                for channel in channels {
                    let answer = try channel.transmit([0, 0xE1, 0, count, 0])
                    #expect(answer.count == Int(count) + 2)
                }
            }
        }
    }

    @Test(arguments: ReaderBenchKind.shared, [true, false])
    func aTransactionKeepsOthersOut(_ kind: ReaderBenchKind, _ otherAlsoBegins: Bool) async throws {
        try await kind.withBench { bench in
            try bench.insertCard(ScriptedCard.agree)
            let channel = try bench.reader.connect()
            let isConnected = Flag()
            let isThrough = Flag()
            Thread.detachNewThread {
                guard let channel = try? bench.reader.connect() else { return }
                isConnected.set()
                usleep(300_000)
                if otherAlsoBegins { try? channel.beginTransaction() }
                if (try? channel.transmit([0, 1, 2, 3])) == [0x90, 0x00] { isThrough.set() }
            }
            for _ in 0..<1000 where !isConnected.isSet { usleep(5000) }
            #expect(isConnected.isSet)
            try channel.beginTransaction()
            usleep(800_000)
            for _ in 0..<10 { #expect(try channel.transmit([0, 1, 2, 3]) == [0x90, 0x00]) }
            #expect(!isThrough.isSet)
            channel.endTransaction()
            for _ in 0..<1000 where !isThrough.isSet { usleep(5000) }
            #expect(isThrough.isSet)
            // Both are out of their transactions.
            #expect(try channel.transmit([0, 1, 2, 3]) == [0x90, 0x00])
        }
    }

    @Test(arguments: ReaderBenchKind.shared)
    func aResetByAnotherProgramIsToldApart(_ kind: ReaderBenchKind) async throws {
        try await kind.withBench { bench in
            try bench.insertCard(ScriptedCard.agree)
            let channel = try bench.reader.connect()
            #expect(try channel.transmit([0, 1, 2, 3]) == [0x90, 0x00])
            for _ in 0..<3 {
                try bench.resetFromOutside()
                for _ in 0..<2 {
                    let exchange = #expect(throws: ReaderError.self) { try channel.transmit([0, 1, 2, 3]) }
                    #expect(exchange?.code == .cardReset)
                    let transaction = #expect(throws: ReaderError.self) { try channel.beginTransaction() }
                    #expect(transaction?.code == .cardReset)
                }
                try channel.reconnect()
                try channel.beginTransaction()
                #expect(try channel.transmit([0, 1, 2, 3]) == [0x90, 0x00])
                channel.endTransaction()
            }
        }
    }
}
