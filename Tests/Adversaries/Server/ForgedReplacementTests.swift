import Bitcoin
import ChainData
import FlowSupport
import TapManager
import TestSupport
import Testing

/// A server that only knows unspent outputs tells of a transaction in a block that is said to have replaced a payment.
/// Whoever believes it takes the payment for undone, and pays once more. Unless the wallet's keys signed it, nothing
/// changes.
///
/// Spec: threats, "The chain server".
@Suite struct ForgedReplacementTests {
    /// What the server has in place of a valid signature.
    enum Forgery: CaseIterable, Sendable {
        /// Nothing.
        case unsigned
        /// The payment's own signature.
        case otherSignature
        /// The signature for another coin that is spent as well.
        case otherCoin
        /// A signature that the keys made when they were told another amount.
        case otherAmount
    }

    /// What a stored PSBT, which anybody may have made, has to show of a coin.
    enum Evidence: CaseIterable, Sendable {
        /// An output that is claimed to be it.
        case claim
        /// A previous transaction that is another one.
        case otherParent
        /// The previous transaction.
        case parent
    }

    /// A wallet, the lying server, and who asks it.
    private struct Scene {
        let bench: WalletBench
        let manager: CardManager
        let opened: OpenedWallet

        init(_ kind: SampleWallet.Kind) async throws {
            bench = try WalletBench(kind, over: FakeChain(features: []))
            manager = CardManager(store: MemoryStore(), chain: ChainServers(bench.source)) { UnixTime(seconds: 5) }
            let text = try #require(bench.wallet.descriptors.first?.text)
            opened = try await manager.addWallet(named: "w", of: .parsing([text]), network: .regtest).wallet
        }

        /// Stores a transaction as one of the wallet's that was sent.
        func keepSent(_ psbt: PSBT) throws -> TransactionID {
            let stored = StoredTransaction(
                psbt: psbt, network: .regtest, wallet: "w", created: UnixTime(seconds: 1),
                updated: UnixTime(seconds: 1), sent: UnixTime(seconds: 2))
            return try manager.store.updateTransaction(stored.id) { _ in stored }.id
        }

        /// A PSBT that spends the coin as if it were this output of the wallet's.
        func psbt(
            _ coin: Outpoint, as output: TransactionOutput, at place: WalletPlace, paying outputs: [TransactionOutput]
        ) throws -> PSBT {
            var psbt = try PSBT(
                unsignedTransaction: Transaction(inputs: [TransactionInput(outpoint: coin)], outputs: outputs))
            let spending = try bench.wallet.spending(at: place)
            psbt[input: 0].witnessUTXO = output
            psbt[input: 0].redeemScript = spending.redeemScript
            for derivation in spending.derivations { psbt[input: 0].addDerivation(derivation) }
            return psbt
        }

        func signed(_ psbt: PSBT) throws -> Transaction {
            try #require(SigningResult(try bench.keys.signed(psbt), added: 0).transaction)
        }
    }

    private static func place(_ index: UInt32) -> WalletPlace { WalletPlace(descriptor: 0, branch: 0, index: index) }

    @Test(arguments: SampleWallet.Kind.allCases, [nil] + Forgery.allCases.map(Optional.some))
    func onlyWhatTheKeysSignedReplaces(_ kind: SampleWallet.Kind, _ forgery: Forgery?) async throws {
        let scene = try await Scene(kind)
        let (bench, manager) = (scene.bench, scene.manager)
        let coins = try (0..<UInt32(2)).map { try bench.source.pay(bench.script(0, $0), 50_000, salt: $0 + 1) }
        _ = try await manager.synchronize(scene.opened)
        let psbt = try bench.signedPSBT(
            spending: [coins[0]], [WalletBench.output(30_000), WalletBench.output(19_000, try bench.script(1, 0))])
        let id = try scene.keepSent(psbt)
        let payment = try #require(SigningResult(psbt, added: 0).transaction)
        try await NodeJury.expectTaken([payment])

        let change = [WalletBench.output(40_000, try bench.script(1, 1))]
        var told = try bench.spending(forgery == .otherCoin ? [coins[1], coins[0]] : [coins[0]], change)
        switch forgery {
        case .unsigned: (told.inputs[0].scriptSig, told.inputs[0].witness) = (Script(), [])
        case .otherSignature:
            (told.inputs[0].scriptSig, told.inputs[0].witness) = (
                payment.inputs[0].scriptSig, payment.inputs[0].witness
            )
        case .otherCoin: (told.inputs[1].scriptSig, told.inputs[1].witness) = (Script(), [])
        case .otherAmount:
            // Signatures of old scripts do not cover amounts: these are as good as any.
            guard kind != .p2pkh else { break }
            let claim = WalletBench.output(45_000, try bench.script(0, 0))
            told = try scene.signed(try scene.psbt(coins[0], as: claim, at: Self.place(0), paying: change))
        case nil: break
        }
        bench.source.add(told, height: 150)
        let answer = try await manager.synchronize(scene.opened)
        #expect(answer.transactions.contains { $0.id == told.id && $0.height == 150 })

        let isTrue = forgery == nil || forgery == .otherAmount && kind == .p2pkh
        let stored = try #require(try manager.transaction(id))
        #expect(stored.summary.state == (isTrue ? .replaced : .sent))
        #expect(stored.standing?.replacedBy == (isTrue ? told.id : nil))
        #expect(SigningResult(stored.psbt, added: 0).transaction == payment)
        // Who pays the same once more is asked, unless it cannot be paid twice any more.
        let order = WalletOrder(
            payments: [Payment(to: WalletBench.stranger, amount: try #require(Amount(satoshis: 30_000)))],
            fee: .rate(.relay))
        #expect(try manager.repetitions(in: order, from: bench.wallet, answer).isEmpty == isTrue)
        #expect(try manager.store.takenCoins()[coins[0]] == (isTrue ? nil : id))
    }

    /// The payment spends a coin further out than what the server tells of, which only the stored PSBT shows to be the wallet's.
    /// Its previous transaction pays the wallet nearer, too, so that the server can tell of it. That the answer's own spends
    /// were checked says nothing about this one.
    @Test(arguments: SampleWallet.Kind.allCases, [true, false])
    func whatAPSBTTeachesIsCheckedAsWell(_ kind: SampleWallet.Kind, _ isSigned: Bool) async throws {
        let scene = try await Scene(kind)
        let (bench, manager) = (scene.bench, scene.manager)
        let far = WalletBench.output(50_000, try bench.script(0, 5))
        let source = try bench.source.pay(WalletBench.stranger, 200_000, salt: 1)
        let funding = Transaction(
            inputs: [TransactionInput(outpoint: source)],
            outputs: [WalletBench.output(50_000, try bench.script(0, 0)), far])
        bench.source.add(funding, height: 100)
        let coin = Outpoint(transactionID: funding.id, index: 1)
        func spend(_ outputs: [TransactionOutput]) throws -> PSBT {
            var psbt = try scene.psbt(coin, as: far, at: Self.place(5), paying: outputs)
            psbt[input: 0].nonWitnessUTXO = try PreviousTransaction(funding)
            return psbt
        }
        let payment = try bench.keys.signed(spend([WalletBench.output(49_000)]))
        try await NodeJury.expectTaken([#require(SigningResult(payment, added: 0).transaction)])
        let id = try scene.keepSent(payment)
        var told = try scene.signed(spend([WalletBench.output(600, try bench.script(0, 1))]))
        if !isSigned { (told.inputs[0].scriptSig, told.inputs[0].witness) = (Script(), []) }
        bench.source.add(told, height: 190)
        let answer = try await manager.synchronize(scene.opened)
        #expect(answer.transactions.contains { $0.id == told.id })
        #expect(answer.scripts.count == 2)
        #expect(try #require(try manager.transaction(id)).summary.state == (isSigned ? .replaced : .sent))
        #expect(try manager.store.takenCoins()[coin] == (isSigned ? nil : id))
    }

    /// The coin is somebody else's, and part of a joint payment; the wallet's keys once signed for it, as they were told
    /// that it was theirs. Stored PSBTs come from anybody: what they claim of a coin does not make it the wallet's.
    @Test(arguments: [SampleWallet.Kind.p2wpkh, .p2shP2WPKH], Evidence.allCases)
    func onlyThePreviousTransactionTellsWhatACoinIs(
        _ kind: SampleWallet.Kind, _ evidence: Evidence
    ) async throws {
        let scene = try await Scene(kind)
        let (bench, manager) = (scene.bench, scene.manager)
        let own = try bench.script(0, 1)
        let paid = evidence == .parent ? own : WalletBench.stranger
        let funding = try SampleWallet.funding(paid, amount: 50_000, salt: 9)
        let coin = Outpoint(transactionID: funding.id, index: 1)
        let first = try bench.source.pay(bench.script(0, 0), 50_000, salt: 1)
        _ = try await manager.synchronize(scene.opened)
        let joint = try scene.keepSent(
            PSBT(
                unsignedTransaction: Transaction(
                    inputs: [first, coin].map { TransactionInput(outpoint: $0) }, outputs: [WalletBench.output(90_000)])
            ))

        let claim = WalletBench.output(50_000, own)
        var given = try scene.psbt(coin, as: claim, at: Self.place(1), paying: [WalletBench.output(1_000)])
        switch evidence {
        case .claim: break
        case .otherParent:
            given[input: 0].nonWitnessUTXO = try PreviousTransaction(
                try SampleWallet.funding(own, amount: 50_000, salt: 10))
        case .parent: given[input: 0].nonWitnessUTXO = try PreviousTransaction(funding)
        }
        _ = try manager.store.merge(given, at: UnixTime(seconds: 3))
        let change = [WalletBench.output(40_000, try bench.script(1, 1))]
        let told = try scene.signed(try scene.psbt(coin, as: claim, at: Self.place(1), paying: change))
        bench.source.add(told, height: 150)
        _ = try await manager.synchronize(scene.opened)
        let stored = try #require(try manager.transaction(joint))
        #expect(stored.summary.state == (evidence == .parent ? .replaced : .sent))
    }
}
