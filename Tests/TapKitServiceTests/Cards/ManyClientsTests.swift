import ByteCodec
import FlowSupport
import TapKitService
import TapManager
import TestSupport
import Testing

/// Sixteen programs at once. A simulated reader has one channel at a time: an exchange in between would fail.
@Suite struct ManyClientsTests {
    private typealias Way = ServiceBench.Way

    @Test(arguments: Way.allCases)
    private func noExchangesAlternate(_ way: Way) async throws {
        var generator = SeededGenerator()
        let cards = [try await FlowBench.ready(using: &generator), try await FlowBench.ready(using: &generator)]
        let bench = try ServiceBench(way, cards: cards)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<16 {
                let client = try await bench.client()
                let card = number % cards.count
                let reader = ServiceBench.reader(card)
                let keys = try cards[card].wallet()
                group.addTask {
                    var recipe = SampleWallet.Recipe()
                    // Another transaction for each.
                    recipe.payment = 20_000 + Int64(number)
                    let psbt = ServiceBench.json(try keys.psbt(recipe))
                    let calls = [
                        client.begin("card.prove", #"{"reader":"\#(reader)"}"#), client.begin("readers"),
                        client.begin("sign", #"{"psbt":\#(psbt),"reader":"\#(reader)"}"#), client.begin("snapshot"),
                        client.begin("card.prove", #"{"card":"\#(cards[card].ident.description)"}"#),
                    ]
                    for call in calls {
                        let answer = try await client.answer(to: call)
                        #expect(answer["error"] == nil, "\(JSONText(answer).line)")
                        #expect(answer["result"]?["complete"] ?? .bool(true) == .bool(true))
                    }
                    return calls.count
                }
            }
            #expect(try await group.reduce(0, +) == 16 * 5)
        }
        #expect(bench.store.transactionCount() == 16)
    }
}
