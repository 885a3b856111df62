import Bitcoin
import TestSupport
import Testing

/// The jury that the tests' transactions stand before: it lets valid ones pass, and reports the others.
@Suite struct NodeJuryTests {
    private let key: SingleKey
    private let amount: Amount

    init() throws {
        key = try SingleKey("jury")
        amount = try #require(Amount(satoshis: 100_000))
    }

    /// A signed spend of a coin.
    private func spend(_ coin: Outpoint, to value: Int64 = 99_000) throws -> Transaction {
        try key.spend(
            [SingleKey.Coin(coin, amount)], to: [TransactionOutput(value: value, scriptPubKey: key.script)])
    }

    /// A coin that no node has.
    private func invented() throws -> Outpoint {
        Outpoint(transactionID: try SampleWallet.funding(key.script, amount: 100_000, salt: 1).id, index: 1)
    }

    /// Expects that the jury reports a transaction for a reason.
    private func expectReported(_ transaction: Transaction, _ reason: String) async throws {
        try await withKnownIssue {
            try await NodeJury.expectTaken([transaction])
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("The node does not take") && $0.rawValue.hasSuffix(reason) }
        }
    }

    @Test func whatIsValidPasses() async throws {
        let node = try await BitcoinNode.shared()
        let transaction = try spend(await node.fund(key.script, amount))
        try await NodeJury.expectTaken([transaction, spend(invented())])
        // Sent, and then in a block.
        try await node.send(transaction)
        try await NodeJury.expectTaken([transaction])
        try await node.mine()
        try await NodeJury.expectTaken([transaction])
    }

    @Test func dustIsReported() async throws {
        let coin = try await BitcoinNode.shared().fund(key.script, amount)
        try await expectReported(spend(coin, to: 100), "dust")
        // That a coin is made up does not hide it.
        try await expectReported(spend(invented(), to: 100), "dust")
    }

    /// A lock time that is ahead of the node's chain hides nothing but that the signatures are for another one.
    @Test func whatIsBehindALockIsJudged() async throws {
        let coin = try await BitcoinNode.shared().fund(key.script, amount)
        for coin in [coin, try invented()] {
            for (value, reason) in [(99_000, nil), (100, "dust")] as [(Int64, String?)] {
                var transaction = try spend(coin, to: value)
                transaction.lockTime = 400_000_000
                if let reason {
                    try await expectReported(transaction, reason)
                } else {
                    try await NodeJury.expectTaken([transaction])
                }
            }
        }
    }

    @Test func aFeeThatIsTooLowIsReported() async throws {
        let coin = try await BitcoinNode.shared().fund(key.script, amount)
        try await expectReported(spend(coin, to: 100_000), "min relay fee not met")
    }

    @Test func aWrongSignatureIsReported() async throws {
        var transaction = try spend(await BitcoinNode.shared().fund(key.script, amount))
        transaction.outputs[0].value -= 1
        try await expectReported(transaction, "Signature must be zero for failed CHECK(MULTI)SIG operation)")
    }

    @Test func aCoinThatIsSpentIsReported() async throws {
        let node = try await BitcoinNode.shared()
        let coin = try await node.fund(key.script, amount)
        let first = try spend(coin)
        try await node.send(first)
        // Beside others' blocks one can be lost.
        while try await node.mempool().contains(first.id) { try await node.mine() }
        try await expectReported(spend(coin, to: 98_000), "missing-inputs")
    }
}
