import Bitcoin
import ByteCodec
import FlowSupport
import Synchronization
import TapKitService
import TestSupport
import Testing

/// Who is asked for a client: for the page of the program, both sides.
@Suite struct SidesTests {
    /// The page shows what is signed, and the person at the machine types the CVC into a window of its own.
    @Test func thePageAsksForTheYesAndTheMachineForTheCVC() async throws {
        var generator = SeededGenerator()
        let card = try await FlowBench.ready(using: &generator)
        let desk = ScriptedDesk()
        let bench = try ServiceBench(cards: [card], desk: desk)
        let asked = Mutex<[String]>([])
        let page = try bench.ownPage { method, _ in
            asked.withLock { $0.append(method) }
            return .bool(true)
        }
        let psbt = try card.wallet().psbt()
        let answer = try await page.call("sign", #"{"psbt":\#(ServiceBench.json(psbt)),"asks":"both"}"#)
        #expect(answer["complete"] == .bool(true))
        #expect(asked.withLock { $0 } == ["interaction.confirm"] && desk.asked == ["cvc"])
    }

    /// What the page's user declines, or does not accept by its code, is not signed, and no window opens.
    @Test(arguments: [(JSONText.bool(false), "declined"), (.bool(true), "not_accepted")])
    func aNoInThePageOpensNoWindow(_ answer: JSONText, _ code: String) async throws {
        var generator = SeededGenerator()
        let card = try await FlowBench.ready(using: &generator)
        let desk = ScriptedDesk()
        let bench = try ServiceBench(cards: [card], desk: desk)
        var recipe = SampleWallet.Recipe()
        recipe.hasPreviousTransactions = false
        let psbt = ServiceBench.json(try card.wallet().psbt(recipe))
        let page = try bench.ownPage { _, _ in answer }
        let failure = try await page.failure("sign", #"{"psbt":\#(psbt),"asks":"both"}"#)
        #expect(failure["data"]?["code"] == .string(code))
        #expect(desk.asked.isEmpty && card.reader.exchangeCounts["sign"] == nil)
    }

    /// A hostile program could agree to warnings that the person at the machine never sees.
    @Test(arguments: [ServiceBench.Way.memory, .socket])
    private func noOtherProgramMayAgreeForThePerson(_ way: ServiceBench.Way) async throws {
        var generator = SeededGenerator()
        let card = try await FlowBench.ready(using: &generator)
        let desk = ScriptedDesk()
        let bench = try ServiceBench(way, cards: [card], desk: desk)
        let client = try await bench.client { _, _ in .bool(true) }
        let psbt = ServiceBench.json(try card.wallet().psbt())
        let calls = [
            ("sign", #""psbt":\#(psbt),"#), ("send", #""id":"0011","#), ("card.prove", ""), ("cards", ""),
            ("sweep", #""to":"tb1q","#), ("transaction.create", #""wallet":"w","drain_to":"tb1q","#),
            ("wallet.receive", #""wallet":"w","verify":true,"#), ("wallet.add", #""name":"w","#), ("card.setup", ""),
            ("card.backup", ""), ("backup.verify", #""content":"AA==","#), ("wallet.register", #""wallet":"w","#),
            ("wallet.remove", #""wallet":"w","#), ("transaction.delete", #""id":"0011","#),
        ]
        for (method, params) in calls {
            let failure = try await client.failure(method, #"{\#(params)"asks":"both"}"#)
            #expect(failure["code"] == .integer(-32_602), "\(method)")
            #expect(failure["message"]?.string?.contains("Only the page") == true, "\(method)")
        }
        #expect(desk.asked.isEmpty && card.reader.exchangeCounts["sign"] == nil)
    }
}
