import Bitcoin
import ByteCodec
import TestSupport
import Testing

/// Coins of every kind that a real node has are spent, out of PSBTs of both versions: the node takes each spend, scripts, fee
/// and standardness included.
@Suite struct NodeAcceptanceTests {
    /// A signed spend, and what it is for.
    private struct Spend {
        let name: String
        let transaction: Transaction

        init(_ name: String, _ signed: PSBT) throws {
            var psbt = signed
            #expect(try psbt.finalizeInputs().allSatisfy { $0 == .finalized }, "\(name)")
            self.name = "\(name) in \(psbt.version)"
            transaction = try psbt.extractedTransaction()
        }
    }

    /// A wallet, and where its coins are paid to.
    private struct Wallet {
        static let amounts: [Int64] = [20_000, 30_000]

        let account: SampleAccount
        let spendings: [SpendingInformation]

        init(_ kind: SampleAccount.Kind) throws {
            account = try SampleAccount(kind)
            let receive = try account.descriptor.derivingBranch(0)
            spendings = try Self.amounts.indices.map { try receive.spending(index: UInt32($0)) }
        }

        var outputs: [TransactionOutput] {
            zip(spendings, Self.amounts).map { TransactionOutput(value: $1, scriptPubKey: $0.scriptPubKey) }
        }
    }

    private static let versions = [PSBT.Version.v0, .v2]

    @Test func everyKindOfCoinIsSpent() async throws {
        // A node by itself: beside others' blocks one could be lost. The lowest fee rate is that of the wallets here.
        let node = try await BitcoinNode.start(["-minrelaytxfee=0.00001"])
        let forms = SpendingForm.allCases
        let wallets = try SampleAccount.Kind.allCases.filter { !$0.isTaproot }.map { try Wallet($0) }
        let outputs = try forms.map { TransactionOutput(value: 12_000, scriptPubKey: try $0.scripts().output) }
        let funding = try await funding(outputs + wallets.flatMap(\.outputs), on: node)
        let outpoints = funding.outputs.indices.map { Outpoint(transactionID: funding.id, index: UInt32($0)) }

        var spends: [Spend] = []
        for (form, outpoint) in zip(forms, outpoints) { spends += try self.spends(form, outpoint, of: funding) }
        var rest = outpoints.dropFirst(forms.count)
        for wallet in wallets {
            spends += try self.spends(wallet, Array(rest.prefix(wallet.outputs.count)), of: funding)
            rest = rest.dropFirst(wallet.outputs.count)
        }
        #expect(rest.isEmpty && spends.count == 2 * (forms.count + wallets.count))

        // Each alone, and all at once.
        let answers = try await node.calls(
            "testmempoolaccept", spends.map { [[Hex.encode($0.transaction.serialized())]] })
        try #require(answers.count == spends.count)
        for (spend, answer) in zip(spends, answers) {
            let verdict = (answer as? [[String: Any]])?.first
            #expect(verdict?["allowed"] as? Bool == true, "\(spend.name): \(verdict?["reject-reason"] ?? answer)")
        }
    }

    /// A transaction with these outputs, in the node's chain.
    private func funding(_ outputs: [TransactionOutput], on node: BitcoinNode) async throws -> Transaction {
        let key = try SingleKey("funding")
        let amount = try #require(Amount(satoshis: outputs.reduce(10_000) { $0 + $1.value }))
        let coin = SingleKey.Coin(try await node.fund(key.script, amount), amount)
        try await node.mine()
        let transaction = try key.spend([coin], to: outputs)
        // Not by the mempool: Knots lets nobody pay to P2PK or bare multisig any more, only out of them.
        try await node.mine([transaction])
        return transaction
    }

    /// The form's PSBT, with the coin of a node's transaction instead of the one that it makes up.
    private func spends(_ form: SpendingForm, _ outpoint: Outpoint, of funding: Transaction) throws -> [Spend] {
        let invented = try SpendingForm.unsignedPSBT([form])
        var transaction = invented.unsignedTransaction
        transaction.inputs[0].outpoint = outpoint
        var unsigned = try PSBT(unsignedTransaction: transaction)
        unsigned.setInputs(invented.inputs)
        unsigned.setOutputs(invented.outputs)
        if form.isLegacy {
            unsigned[input: 0].nonWitnessUTXO = try PreviousTransaction(funding)
        } else {
            unsigned[input: 0].witnessUTXO = funding.outputs[Int(outpoint.index)]
        }
        return try Self.versions.map { version in
            var psbt = try PSBT(serialized: unsigned.converted(to: version).serialized())
            for key in try form.keys().suffix(2) { try psbt.sign(0, as: form, with: key) }
            return try Spend("\(form)", psbt)
        }
    }

    /// Payments out of both coins at the lowest rate that the node relays: with a byte too few in the estimate, the fee would
    /// not be enough.
    private func spends(_ wallet: Wallet, _ outpoints: [Outpoint], of funding: Transaction) throws -> [Spend] {
        var generator = SeededGenerator()
        let coins = try zip(outpoints, wallet.spendings).map { outpoint, spending in
            let amount = try #require(funding.outputs[Int(outpoint.index)].amount)
            return Coin(outpoint: outpoint, amount: amount, spending: spending)
        }
        let payment = Payment(to: RandomCoins.script(7), amount: try #require(Amount(satoshis: 35_000)))
        let account = wallet.account
        let request = TransactionRequest(
            coins: coins, payments: [payment], remainder: .change(try account.change()), feeDemand: .rate(.relay))
        return try Self.versions.map { version in
            let draft = try TransactionDraft(request, using: &generator)
            #expect(draft.coins.count == coins.count && draft.remainderIndex != nil)
            var psbt = try draft.psbt(
                previousTransactions: [PreviousTransaction(funding)], version: version,
                extendedKeys: account.kind.isMultisig ? account.descriptor.extendedKeyDerivations : [])
            _ = try account.sign(&psbt)
            return try Spend("\(account.kind)", psbt)
        }
    }
}
