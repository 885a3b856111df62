import Bitcoin
import ByteCodec
import FlowSupport
import TapKitService
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// Signing under a lease: nobody is asked for what it covers, and for everything else as usual.
@Suite struct LeasedSigningTests {
    private let card: FlowBench
    private let keys: SampleWallet
    private let desk = ScriptedDesk()
    private let bench: ServiceBench
    private let client: TestClient
    private let clock = SetClock()

    init() async throws {
        var generator = SeededGenerator()
        card = try await FlowBench.ready(using: &generator)
        keys = try card.wallet()
        bench = try ServiceBench(cards: [card], desk: desk, clock: { [clock] in clock.now })
        try ServiceBench.storeWallet("w", of: card, in: bench.store)
        client = try await bench.client()
    }

    private func lease(
        _ client: TestClient, minutes: Int = 10, signatures: Int = 10, limit: Int64 = 1_000_000
    ) async throws -> JSONValue {
        try await client.call(
            "lease.request",
            #"{"wallet":"w","minutes":\#(minutes),"signatures":\#(signatures),"limit_sat":\#(limit)}"#)
    }

    private func sign(_ client: TestClient, _ psbt: PSBT) async throws {
        let answer = try await client.call("sign", #"{"psbt":\#(ServiceBench.json(psbt))}"#)
        #expect(answer["complete"] == .bool(true))
    }

    private func psbt(payment: Int64 = 50_000, _ change: (inout SampleWallet.Recipe) -> Void = { _ in }) throws -> PSBT
    {
        var recipe = SampleWallet.Recipe()
        recipe.payment = payment
        change(&recipe)
        return try keys.psbt(recipe)
    }

    @Test func nobodyIsAskedForWhatItCovers() async throws {
        let lease = try await lease(client)
        #expect(lease["wallet"] == .string("w") && lease["own"] == .bool(true))
        #expect(desk.asked == ["lease", "cvc"])
        try await sign(client, psbt())
        try await sign(client, psbt(payment: 40_000))
        #expect(desk.asked == ["lease", "cvc"])
        let left = try await client.call("lease.list")["leases"]?.array?.first
        #expect(left?["left_sat"] == .integer(1_000_000 - 51_000 - 41_000))
        #expect(left?["signatures_left"] == .integer(8))
    }

    @Test(arguments: [
        "money", "signatures", "time", "revoked", "other client", "changed wallet", "warning", "no proof", "own change",
    ])
    func everythingElseIsAsked(_ reason: String) async throws {
        let isTight = reason == "money" || reason == "own change"
        let lease = try await lease(
            client, signatures: reason == "signatures" ? 1 : 10, limit: isTight ? 60_000 : 1_000_000)
        var signer = client
        var transaction = try psbt()
        switch reason {
        case "money": try await sign(client, psbt(payment: 40_000))
        case "signatures": try await sign(client, psbt(payment: 40_000))
        case "time": clock.pass(.seconds(600))
        case "revoked":
            let number = try #require(lease["id"]?.integer)
            // Anyone of the same user may.
            let answer = try await bench.client().call("lease.revoke", #"{"lease":\#(number)}"#)
            #expect(answer["revoked"] == .bool(true))
        case "other client": signer = try await bench.client()
        // Whoever can write the store cannot say what the lease's wallet is.
        case "changed wallet":
            try ServiceBench.storeWallet("w", of: card, kinds: [.p2wpkh, .p2shP2WPKH], in: bench.store)
        // A fee of a fifth of the payment.
        case "warning": transaction = try psbt { $0.fee = 10_000 }
        case "no proof": transaction = try psbt { $0.hasPreviousTransactions = false }
        // Without a derivation, nothing shows that it comes back.
        default:
            transaction = try PSBT(unsignedTransaction: transaction.unsignedTransaction)
            let full = try psbt()
            transaction[input: 0] = full.inputs[0]
        }
        #expect(desk.asked == ["lease", "cvc"])
        try await sign(signer, transaction)
        #expect(desk.asked == ["lease", "cvc", "sign", "cvc"], "\(reason)")
    }

    /// The lease's yes is as old as its CVC: the person sees what the next CVC signs.
    @Test func aRefusedCVCTakesItsYesWithIt() async throws {
        _ = try await lease(client)
        _ = try await card.run {
            try await ChangeCVCFlow(driver: $0, from: CVC(FlowBench.cvc), to: CVC("654321")).run()
        }
        let failure = try await client.failure("sign", #"{"psbt":\#(ServiceBench.json(psbt()))}"#)
        #expect(failure["data"]?["code"] == .string("declined"))
        #expect(desk.asked == ["lease", "cvc", "sign", "cvc"])
        #expect(try await client.call("lease.list")["leases"] == .array([]))
    }

    /// Nobody was shown the transaction for the first card: the second one's question is not a further one.
    @Test func aCosignersCardIsAskedAboutInFull() async throws {
        var generator = SeededGenerator(for: "cosigners")
        let cards = [
            try await FlowBench.ready(using: &generator), try await FlowBench.ready(using: &generator),
        ]
        let desk = ScriptedDesk()
        let bench = try ServiceBench(cards: cards, desk: desk)
        let policy = SamplePolicy("multi(2,#A,#B)", try cards.map { try $0.wallet() })
        let account = try DerivationPath(parsing: policy.account)
        for card in cards {
            _ = try await card.run { try await AccountFlow(driver: $0, cvc: CVC(FlowBench.cvc)).derive(account) }
        }
        let descriptor = try #require(DescriptorText(policy.descriptor()))
        bench.store.save(
            StoredWallet(name: "w", network: .test, descriptors: [descriptor], created: UnixTime(seconds: 1)))
        let client = try await bench.client()
        _ = try await client.call(
            "lease.request",
            #"{"wallet":"w","minutes":10,"signatures":10,"limit_sat":1000000,"card":"\#(cards[0].ident)"}"#)
        #expect(desk.asked == ["lease", "cvc"])
        try await sign(client, policy.psbt())
        #expect(desk.asked == ["lease", "cvc", "sign", "cvc"])
    }

    /// A lease ends with the connection that asked for it.
    @Test func aLeaseEndsWithItsConnection() async throws {
        _ = try await lease(client)
        let other = try await bench.client()
        #expect(try await other.call("lease.list")["leases"]?.array?.first?["own"] == .bool(false))
        client.close()
        #expect(try await other.call("lease.list")["leases"] == .array([]))
    }

    /// A card that is not the wallet's gives no lease, nor does a wrong CVC or a person who says no.
    @Test func onlyTheWalletsCardAndItsCVC() async throws {
        var generator = SeededGenerator()
        _ = generator.next()
        let stranger = try await FlowBench.ready(using: &generator)
        let request = #"{"wallet":"w","minutes":1,"signatures":1,"limit_sat":1000}"#
        for (card, desk, code) in [
            (stranger, ScriptedDesk(), "other_wallet"), (self.card, ScriptedDesk(cvc: "000000"), "declined"),
            (self.card, ScriptedDesk { if $0 == "lease" { throw Declined() } }, "declined"),
        ] {
            let bench = try ServiceBench(cards: [card], desk: desk)
            try ServiceBench.storeWallet("w", of: self.card, in: bench.store)
            let client = try await bench.client()
            let failure = try await client.failure("lease.request", request)
            #expect(failure["data"]?["code"] == .string(code))
            #expect(try await client.call("lease.list")["leases"] == .array([]))
        }
    }
}
