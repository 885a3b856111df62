import Bitcoin
import TestSupport
import Testing

@Suite struct TransactionDraftTests {
    private func rate(_ text: String) throws -> FeeRate { try FeeRate(parsing: text) }

    private func payment(_ satoshis: Int64, _ byte: UInt8 = 7) throws -> Payment {
        Payment(to: RandomCoins.script(byte), amount: try #require(Amount(satoshis: satoshis)))
    }

    /// Built, signed and finalized, the transaction has the size that was promised and the fee that was asked for; a node finds
    /// nothing against it.
    @Test(arguments: SampleAccount.Kind.allCases.filter { !$0.isTaproot })
    func signedTransactionsHaveThePromisedSize(_ kind: SampleAccount.Kind) async throws {
        var generator = SeededGenerator()
        let account = try SampleAccount(kind)
        var transactions: [Transaction] = []
        for round in 0..<8 {
            let amounts = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                Int64.random(in: 20_000...300_000, using: &generator)
            }
            let (coins, previous) = try account.coins(amounts)
            let rate = try #require(
                FeeRate(satoshisPerKiloVirtualByte: Int64.random(in: 1_000...30_000, using: &generator)))
            let isDrain = round == 7
            var request = TransactionRequest(
                coins: coins, payments: isDrain ? [] : [try payment(amounts.reduce(0, +) / 2)],
                remainder: isDrain ? .drain(try payment(0, 8)) : .change(try account.change()), feeDemand: .rate(rate))
            request.order = round.isMultiple(of: 2) ? .bip69 : .random
            let version: PSBT.Version = round.isMultiple(of: 3) ? .v2 : .v0
            let draft = try TransactionDraft(request, using: &generator)
            var psbt = try draft.psbt(
                previousTransactions: previous, version: version,
                extendedKeys: kind.isMultisig ? account.descriptor.extendedKeyDerivations : [])
            #expect(psbt.version == version)
            #expect(psbt.unsignedTransaction == draft.unsignedTransaction)
            // What is written is what a strict reader takes.
            let written = try PSBT(serialized: psbt.serialized())
            #expect(written.serialized() == psbt.serialized())
            for (index, coin) in draft.coins.enumerated() {
                #expect(written.inputs[index].nonWitnessUTXO?.txid == coin.outpoint.transactionID)
                #expect((written.inputs[index].witnessUTXO != nil) == coin.spending.hasWitness)
                #expect(try written.spentOutput(ofInput: index) == coin.output)
            }
            for (index, payment) in draft.payments.enumerated() {
                #expect(Set(psbt.outputs[index].derivations) == Set(payment.spending?.derivations ?? []))
            }
            let lighter = try account.sign(&psbt)
            #expect(try psbt.finalizeInputs().allSatisfy { $0 == .finalized })
            let transaction = try psbt.extractedTransaction()
            #expect(transaction.weight + lighter == draft.selection.weight)
            let taken = draft.coins.reduce(0) { $0 + $1.amount.satoshis }
            #expect(taken == transaction.outputs.reduce(0) { $0 + $1.value } + draft.fee.satoshis)
            let asked = try #require(rate.fee(forVirtualSize: draft.virtualSize))
            #expect(draft.remainderIndex == nil ? draft.fee >= asked : draft.fee == asked)
            transactions.append(transaction)
        }
        try await NodeJury.expectTaken(transactions, "\(kind)")
    }

    /// What taproot's signers need is there; nobody signs it here.
    @Test(arguments: [SampleAccount.Kind.p2tr, .p2trTree])
    func taprootInputsAreDescribed(_ kind: SampleAccount.Kind) throws {
        var generator = SeededGenerator()
        let account = try SampleAccount(kind)
        let (coins, previous) = try account.coins([100_000, 200_000])
        let request = TransactionRequest(
            coins: coins, payments: [try payment(150_000)], remainder: .change(try account.change()),
            feeDemand: .rate(try rate("3")))
        for version in [PSBT.Version.v0, .v2] {
            let draft = try TransactionDraft(request, using: &generator)
            let psbt = try PSBT(
                serialized: draft.psbt(previousTransactions: previous, version: version).serialized())
            for (input, coin) in zip(psbt.inputs, draft.coins) {
                let taproot = try #require(coin.spending.taproot)
                #expect(input.taprootInternalKey == taproot.internalKey)
                #expect(input.taprootMerkleRoot == taproot.merkleRoot)
                #expect(Set(input.taprootDerivations) == Set(taproot.derivations))
                #expect(Set(input.taprootLeafScripts) == Set(taproot.leaves))
                #expect(input.taprootLeafScripts.count == (kind == .p2tr ? 0 : 2))
                #expect(input.derivations.isEmpty)
                #expect(input.witnessUTXO == coin.output)
                // The output key is the internal one, tweaked with the root.
                let output = try TaprootOutputKey(internalKey: taproot.internalKey, merkleRoot: taproot.merkleRoot)
                #expect(.p2tr(output) == coin.spending.scriptPubKey)
            }
            let change = psbt.outputs[try #require(draft.remainderIndex)]
            #expect(change.taprootInternalKey == (try account.change().taproot?.internalKey))
            #expect(change.taprootTree == (kind == .p2tr ? nil : try account.change().taproot?.tree))
            #expect(change.taprootDerivations.count == (kind == .p2tr ? 1 : 3))
        }
    }
}
