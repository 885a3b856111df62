import ByteCodec
import FlowSupport
import TapManager
import TestSupport
import Testing

@testable import TapKitService

/// A snapshot and then events: between the two nothing is missed.
@Suite struct SubscriptionTests {
    private typealias Way = ServiceBench.Way

    /// Labels are saved all the while. From the first event on, none is missing.
    @Test(arguments: Way.allCases)
    private func nothingIsMissed(_ way: Way) async throws {
        let bench = try ServiceBench(way)
        let store = bench.processor.manager.store
        let count = 400
        let writing = Task.detached {
            for number in 1...count {
                try store.save(
                    Array(
                        repeating: StoredLabel(type: "addr", reference: "a\(number)", label: "x"), count: number))
            }
        }
        let client = try await bench.client()
        let answer = try await client.call("subscribe")
        #expect(answer["snapshot"]?["wallets"]?.array?.isEmpty == true)
        let number = try #require(answer["subscription"]?.integer)
        try await writing.value
        try store.save([])
        var last: Int64?
        while let message = await client.next() {
            guard message["method"] == .string("event") else { continue }
            let params = try #require(message["params"])
            #expect(params["subscription"] == .integer(number))
            #expect(params["event"]?["event"] == .string("labels_saved"))
            let saved = try #require(params["event"]?["count"]?.integer)
            guard saved > 0 else { break }
            #expect(last == nil || saved == (last ?? 0) + 1)
            last = saved
        }
        #expect(last == nil || last == Int64(count))
        #expect(try await client.call("unsubscribe", #"{"subscription":\#(number)}"#)["unsubscribed"] == .bool(true))
        #expect(try await client.call("unsubscribe", #"{"subscription":\#(number)}"#)["unsubscribed"] == .bool(false))
    }

    /// What is in the snapshot does not depend on when the wallet was stored: it is in one of both.
    @Test func aWalletIsInTheSnapshotOrInAnEvent() async throws {
        var generator = SeededGenerator()
        let card = try await FlowBench.ready(using: &generator)
        for _ in 0..<50 {
            let bench = try ServiceBench()
            let manager = bench.processor.manager
            try ServiceBench.storeWallet("w", of: card, in: bench.store)
            let wallet = try #require(try manager.store.wallets().first)
            _ = try manager.store.deleteWallet(named: "w")
            let adding = Task.detached {
                try manager.store.add(wallet)
                try manager.store.save([])
            }
            let client = try await bench.client()
            let snapshot = try await client.call("subscribe")["snapshot"]
            try await adding.value
            try manager.store.save([])
            var isKnown = snapshot?["wallets"]?.array?.count == 1
            while !isKnown, let message = await client.next() {
                let event = message["params"]?["event"]
                isKnown = event?["event"] == .string("wallet_added") && event?["wallet"] == .string("w")
            }
            #expect(isKnown)
        }
    }

    @Test func onlySoManySubscriptions() async throws {
        let bench = try ServiceBench()
        let client = try await bench.client()
        for _ in 0..<bench.limits.subscriptionCount { _ = try await client.call("subscribe") }
        let failure = try await client.failure("subscribe")
        #expect(failure["code"] == .integer(-32_001))
        #expect(failure["message"] == .string("A program has at most 4 subscriptions."))
    }

    /// Readers are reported to those who want it.
    @Test func readersAreReported() async throws {
        var generator = SeededGenerator()
        let bench = try ServiceBench(cards: [try FlowBench(using: &generator)])
        let client = try await bench.client()
        _ = try await client.call("subscribe", #"{"readers":true}"#)
        var events: [JSONValue?] = []
        while events.count < 2, let message = await client.next() {
            events.append(message["params"]?["event"]?["event"])
        }
        #expect(events == [.string("reader_attached"), .string("card_inserted")])
    }
}
