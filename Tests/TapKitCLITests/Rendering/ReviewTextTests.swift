import Bitcoin
import TapManager
import Terminal
import TestSupport
import Testing

@testable import TapKitCLI

/// The screen that a transaction is shown on, at several widths and by several words.
@Suite struct ReviewTextTests {
    private let wallet: SampleWallet
    private let psbt: PSBT

    init() throws {
        wallet = try SampleWallet(seed: 1)
        let sample = try wallet.psbt()
        var transaction = sample.unsignedTransaction
        transaction.lockTime = 900_000
        var psbt = try PSBT(unsignedTransaction: transaction)
        psbt[input: 0] = sample.inputs[0]
        psbt[output: 1] = sample.outputs[1]
        self.psbt = psbt
    }

    /// With the card's keys.
    private func plan() throws -> SigningPlan { try plan(psbt) }

    private func plan(_ psbt: PSBT) throws -> SigningPlan {
        let planner = SigningPlanner(psbt: psbt, network: .test)
        var keys = SignerKeys(masterFingerprint: wallet.fingerprint)
        for path in try planner.accounts(of: wallet.fingerprint) { keys.add(try wallet.extendedKey(path), at: path) }
        let account = try wallet.accountPath(.p2wpkh)
        return try planner.plan(keys: keys, present: account, final: account)
    }

    private static let doubts = [
        Finding(.warning, .outputUnknown, .output(0), "what this script demands is not known: 6a04."),
        Finding(
            .warning, .feeRateLow, .transaction,
            "The fee rate of 0.9 sat/vB is below 1 sat/vB: many nodes will not relay it."),
    ]

    private func screen(columns: Int?) throws -> (text: String, payee: String, rate: String) {
        let plan = try plan()
        let text = ReviewText(plan.review, findings: plan.findings + Self.doubts, now: UnixTime(seconds: 0))
        let style = TerminalStyle(columns: columns)
        return (
            text.screen.map { $0.shown(in: style) }.joined(separator: "\n"),
            try #require(plan.review.outputs[0].address?.description), plan.review.fee.rateText
        )
    }

    /// That a file does not name an input's key does not make the coin somebody else's.
    @Test func aCoinOfWhichNothingIsKnownIsNotCalledForeign() throws {
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [.p2wpkh, .p2wpkh]
        var psbt = try wallet.psbt(recipe)
        let coin = psbt.inputs[1].nonWitnessUTXO
        psbt[input: 1] = PSBT.Input()
        psbt[input: 1].nonWitnessUTXO = coin
        let plan = try plan(psbt)
        #expect(
            ReviewText(plan.review, findings: plan.findings).lines.contains(
                "Spends 2 inputs, 0.00200000 test BTC (amounts proven); 1 of them, 0.00100000 test BTC, not known to be "
                    + "this wallet's"))
    }

    /// Anyone can write a descriptor: that a wallet's change is all there is does not mean that nobody is paid.
    @Test func descriptorsDoNotProveThatNobodyIsPaid() throws {
        var recipe = SampleWallet.Recipe()
        (recipe.payment, recipe.fee) = (0, 1_000)
        let sample = try wallet.psbt(recipe)
        var transaction = sample.unsignedTransaction
        transaction.outputs.removeFirst()
        var psbt = try PSBT(unsignedTransaction: transaction)
        psbt[input: 0] = sample.inputs[0]
        psbt[output: 0] = sample.outputs[1]
        let path = try wallet.accountPath(.p2wpkh)
        let descriptor = AccountDescriptor(
            kind: .p2wpkh, origin: KeyOrigin(fingerprint: wallet.fingerprint, path: path),
            key: try wallet.extendedKey(path))
        let thief = try WalletDraft(
            name: WalletName(parsing: "thief"), network: .test, descriptors: [descriptor.text]
        ).wallet
        let (review, findings) = SigningPlanner(psbt: psbt, network: .test).review(wallet: thief)
        let lines = ReviewText(try #require(review), findings: findings).lines
        #expect(lines.first == "Everything goes to the wallet “thief”, according to its descriptors.")
        #expect(lines.allSatisfy { !$0.contains("nobody") })
    }

    @Test func atFiftyColumnsNoWordIsBroken() throws {
        let (text, payee, rate) = try screen(columns: 50)
        #expect(
            text == """
                You pay 0.00050000 test BTC to
                  \(payee)
                  (output 0)
                Change: 0.00049000 test BTC back to this wallet
                  (proven: m/84h/1h/0h/1/0)
                Fee: 1000 sat, \(rate) sat/vB, 2.0% of what you pay
                Total leaving the wallet: 0.00051000 test BTC
                Spends 1 input, 0.00100000 test BTC (amount
                  proven)
                Signatures: none yet; 1 signature missing, from
                  \(wallet.fingerprint)
                Note: Valid only after block 900000 (lock time).
                WARNING: Output 0: what this script demands is not
                  known: 6a04. At stake: 0.00050000 test BTC.
                  [output_unknown]
                WARNING: The fee rate of 0.9 sat/vB is below 1
                  sat/vB: many nodes will not relay it. No money
                  is at stake.
                """)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 50 })
    }

    @Test func atEightyColumnsAnAddressFits() throws {
        let (text, payee, rate) = try screen(columns: 80)
        #expect(
            text == """
                You pay 0.00050000 test BTC to \(payee)
                  (output 0)
                Change: 0.00049000 test BTC back to this wallet (proven: m/84h/1h/0h/1/0)
                Fee: 1000 sat, \(rate) sat/vB, 2.0% of what you pay
                Total leaving the wallet: 0.00051000 test BTC
                Spends 1 input, 0.00100000 test BTC (amount proven)
                Signatures: none yet; 1 signature missing, from \(wallet.fingerprint)
                Note: Valid only after block 900000 (lock time).
                WARNING: Output 0: what this script demands is not known: 6a04. At stake:
                  0.00050000 test BTC. [output_unknown]
                WARNING: The fee rate of 0.9 sat/vB is below 1 sat/vB: many nodes will not relay
                  it. No money is at stake.
                """)
    }

    @Test(arguments: [160, nil]) func withRoomEachStandsOnOneLine(_ columns: Int?) throws {
        let (text, payee, rate) = try screen(columns: columns)
        #expect(
            text == """
                You pay 0.00050000 test BTC to \(payee) (output 0)
                Change: 0.00049000 test BTC back to this wallet (proven: m/84h/1h/0h/1/0)
                Fee: 1000 sat, \(rate) sat/vB, 2.0% of what you pay
                Total leaving the wallet: 0.00051000 test BTC
                Spends 1 input, 0.00100000 test BTC (amount proven)
                Signatures: none yet; 1 signature missing, from \(wallet.fingerprint)
                Note: Valid only after block 900000 (lock time).
                WARNING: Output 0: what this script demands is not known: 6a04. At stake: 0.00050000 test BTC. [output_unknown]
                WARNING: The fee rate of 0.9 sat/vB is below 1 sat/vB: many nodes will not relay it. No money is at stake.
                """)
    }

    /// Without keys what comes back is the file's word, and is shown as that, with its address.
    @Test func withoutKeysChangeIsClaimed() throws {
        let (found, findings) = SigningPlanner(psbt: psbt, network: .regtest).review()
        let review = try #require(found)
        let change = try #require(review.outputs[1].address)
        let lines = ReviewText(review, findings: findings).lines
        #expect(lines[1] == "Change, as the file claims: 0.00049000 regtest BTC to \(change) (m/84h/1h/0h/1/0)")
        #expect(lines.contains("Total leaving the wallet, as the file claims: 0.00051000 regtest BTC"))
        #expect(!lines.contains { $0.contains("proven:") })
        #expect(change.description.hasPrefix("bcrt1"))
    }

    /// While several spending paths are open, what is missing is that of one of them.
    @Test(
        arguments: [
            (0xFFFF_FFFD, "Signatures: none yet; 2 signatures missing, from #A, #B"),
            (
                10,
                "Signatures: none yet; 1 signature missing, from #B; "
                    + "another spending path is open, too"
            ),
        ] as [(UInt32, String)]) func whatIsMissingIsThatOfAPath(_ sequence: UInt32, _ line: String) throws
    {
        let holders = try [1, 2].map { try SampleWallet(seed: $0) }
        let policy = SamplePolicy("or_d(multi(2,#A,#B),and_v(v:pkh(#b),older(10)))", holders)
        let (review, findings) = SigningPlanner(psbt: try policy.psbt(sequence: sequence), network: .test).review()
        let prints = holders.map(\.fingerprint.description)
        let lines = ReviewText(try #require(review), findings: findings).lines
        let both = line.replacing("#A, #B", with: prints.sorted().joined(separator: ", "))
        #expect(lines.contains(both.replacing("#B", with: prints[1])), "\(lines)")
    }

    @Test func aLockThatIsOpenIsSilence() throws {
        let plan = try plan()
        var review = plan.review
        let isTold = { (review: TransactionReview, seconds: Int64) in
            ReviewText(review, findings: plan.findings, now: UnixTime(seconds: seconds)).lines
                .contains { $0.contains("lock time") }
        }
        #expect(plan.findings.contains { $0.code == .lockTime } && plan.findings.contains { $0.code == .replaceable })
        #expect(isTold(review, 4_000_000_000))
        review.knownHeight = 899_999
        #expect(isTold(review, 4_000_000_000))
        review.knownHeight = 900_000
        #expect(!isTold(review, 0))
        #expect(!ReviewText(review, findings: plan.findings).lines.contains { $0.contains("Note:") })
    }

    @Test func whatTheStoreCallsAnAddressIsToldAndForgesNothing() throws {
        let plan = try plan()
        var review = plan.review
        let payee = try #require(review.outputs[0].address)
        review.labels = [payee: "Bob\nYou pay 1 BTC to nobody"]
        let shown = ReviewText(review, findings: []).screen[0].shown(in: TerminalStyle(columns: nil))
        #expect(shown == "You pay 0.00050000 test BTC to \(payee) “Bob\u{FFFD}You pay 1 BTC to nobody”")
    }

    /// The difference is on top, then the whole once more.
    @Test func whatIsWorseStandsFirst() throws {
        let plan = try plan()
        let text = ReviewText(plan.review, findings: Self.doubts)
        #expect(text.warnings([Self.doubts[0]]) == [text.warningLines[0]])
        #expect(text.screen.filter { $0.weight == .alarm }.map(\.text) == text.warningLines)
        #expect(text.screen.suffix(2).allSatisfy { $0.weight == .alarm })
    }
}
