import Bitcoin
import ByteCodec
import FlowSupport
import Synchronization
import TapKitService
import TapManager
import TestSupport
import Testing

/// Signing for a program: who is asked, what is shown, and what is kept.
@Suite struct SigningTests {
    private typealias Way = ServiceBench.Way

    @Test(arguments: Way.allCases)
    private func thePersonAtTheMachineIsAsked(_ way: Way) async throws {
        var generator = SeededGenerator()
        let card = try await FlowBench.ready(using: &generator)
        let desk = ScriptedDesk()
        let bench = try ServiceBench(way, cards: [card], desk: desk)
        let client = try await bench.client()
        let psbt = try card.wallet().psbt()
        let number = client.begin("sign", #"{"psbt":\#(ServiceBench.json(psbt))}"#)
        let answer = try #require(try await client.answer(to: number)["result"])
        #expect(answer["complete"] == .bool(true) && answer["signed"] == .integer(1))
        #expect(desk.asked == ["sign", "cvc"])
        #expect(bench.store.transaction(psbt.unsignedTransaction.id) != nil)
        #expect(client.told("progress").contains { $0["event"] == .string("signed") && $0["call"] == .integer(number) })
        // Twice is once.
        let again = try await client.call("sign", #"{"psbt":\#(ServiceBench.json(psbt))}"#)
        #expect(again["complete"] == .bool(true) && again["signed"] == .integer(0))
        #expect(desk.asked == ["sign", "cvc"])
    }

    @Test func whatThePersonDeclinesIsNotSigned() async throws {
        var generator = SeededGenerator()
        let card = try await FlowBench.ready(using: &generator)
        let bench = try ServiceBench(cards: [card], desk: ScriptedDesk { if $0 == "sign" { throw Declined() } })
        let psbt = try card.wallet().psbt()
        let failure = try await bench.client().failure("sign", #"{"psbt":\#(ServiceBench.json(psbt))}"#)
        #expect(failure["data"]?["code"] == .string("declined"))
        #expect(card.reader.exchangeCounts["sign"] == nil)
    }

    /// The client is shown what it signs, and then asked for the CVC with the same review.
    @Test(arguments: Way.allCases)
    private func aClientMayAskItsOwnUser(_ way: Way) async throws {
        var generator = SeededGenerator()
        let card = try await FlowBench.ready(using: &generator)
        let desk = ScriptedDesk()
        let bench = try ServiceBench(way, cards: [card], desk: desk)
        let asked = Mutex<[(method: String, params: JSONValue)]>([])
        let client = try await bench.client { method, params in
            asked.withLock { $0.append((method, params)) }
            return method == "interaction.cvc" ? .string(FlowBench.cvc) : .bool(true)
        }
        let psbt = try card.wallet().psbt()
        let number = client.begin("sign", #"{"psbt":\#(ServiceBench.json(psbt)),"asks":"client"}"#)
        #expect(try await client.answer(to: number)["result"]?["complete"] == .bool(true))
        let questions = asked.withLock { $0 }
        #expect(questions.map(\.method) == ["interaction.confirm", "interaction.cvc"])
        #expect(questions.allSatisfy { $0.params["call"] == .integer(number) })
        let id = JSONValue.string(psbt.unsignedTransaction.id.description)
        #expect(questions.allSatisfy { $0.params["review"]?["id"] == id })
        #expect(desk.asked.isEmpty)
    }

    /// A yes alone does not accept what can lose money.
    @Test(arguments: [(JSONText.bool(true), "not_accepted"), (.bool(false), "declined"), (.string("yes"), "declined")])
    func aClientAcceptsFindingsByTheirCodes(_ answer: JSONText, _ code: String) async throws {
        var generator = SeededGenerator()
        let card = try await FlowBench.ready(using: &generator)
        let bench = try ServiceBench(cards: [card])
        var recipe = SampleWallet.Recipe()
        recipe.hasPreviousTransactions = false
        let psbt = ServiceBench.json(try card.wallet().psbt(recipe))
        let refused = try await bench.client { method, _ in
            method == "interaction.confirm" ? answer : .string(FlowBench.cvc)
        }
        let failure = try await refused.failure("sign", #"{"psbt":\#(psbt),"asks":"client"}"#)
        #expect(failure["data"]?["code"] == .string(code))
        #expect(card.reader.exchangeCounts["sign"] == nil)
        let accepted = try await bench.client { method, _ in
            method == "interaction.confirm"
                ? .object([("accept", .array([.string("amount_not_proven")]))]) : .string(FlowBench.cvc)
        }
        #expect(try await accepted.call("sign", #"{"psbt":\#(psbt),"asks":"client"}"#)["complete"] == .bool(true))
    }

    /// A program that is gone has nothing signed that nobody has agreed to, and holds nobody up.
    @Test(arguments: Way.allCases)
    private func aClientThatLeavesTakesItsQuestionAlong(_ way: Way) async throws {
        var generator = SeededGenerator()
        let card = try await FlowBench.ready(using: &generator)
        let (isAsked, asked) = AsyncStream.makeStream(of: Void.self)
        let first = Mutex(true)
        let desk = ScriptedDesk { word in
            guard word == "cvc",
                first.withLock({
                    let was = $0; $0 = false; return was
                })
            else { return }
            asked.yield()
            // Until the question is taken away.
            try await Task.sleep(for: .seconds(3_600))
        }
        let bench = try ServiceBench(way, cards: [card], desk: desk)
        let leaving = try await bench.client()
        let psbt = try card.wallet().psbt()
        leaving.begin("sign", #"{"psbt":\#(ServiceBench.json(psbt))}"#)
        for await _ in isAsked { break }
        let staying = try await bench.client()
        let number = staying.begin("sign", #"{"psbt":\#(ServiceBench.json(psbt))}"#)
        #expect(card.reader.exchangeCounts["sign"] == nil)
        leaving.close()
        #expect(try await staying.answer(to: number)["result"]?["complete"] == .bool(true))
    }
}
