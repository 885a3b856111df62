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
            let (isConnected, hasBegun, isAsking, isThrough) = (Flag(), Flag(), Flag(), Flag())
            Thread.detachNewThread {
                guard let channel = try? bench.reader.connect() else { return }
                isConnected.set()
                hasBegun.wait()
                isAsking.set()
                if otherAlsoBegins { try? channel.beginTransaction() }
                if (try? channel.transmit([0, 1, 2, 3])) == [0x90, 0x00] { isThrough.set() }
            }
            #expect(isConnected.wait())
            try channel.beginTransaction()
            hasBegun.set()
            #expect(isAsking.wait())
            // Whoever is not kept out is through in a few milliseconds.
            usleep(200_000)
            for _ in 0..<10 { #expect(try channel.transmit([0, 1, 2, 3]) == [0x90, 0x00]) }
            #expect(!isThrough.isSet)
            channel.endTransaction()
            #expect(isThrough.wait())
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
