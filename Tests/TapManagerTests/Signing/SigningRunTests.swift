import Bitcoin
import FlowSupport
import SmartCard
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// Signing through the manager: what is asked and in which order, and what is never lost.
@Suite struct SigningRunTests {
    private static let roots = { @Sendable () throws in [try SimulatedFactory.standard.rootKey] }

    private func manager(
        _ benches: [FlowBench], _ person: ScriptedInteraction, store: any Store = MemoryStore(),
        patience: Patience? = nil
    ) throws -> CardManager {
        CardManager(
            store: store, readers: [SimulatedBackend(benches.map(\.reader))], interaction: person, patience: patience,
            acceptedRoots: try Self.roots(), clock: { UnixTime(seconds: 7) })
    }

    private func signatures(_ bench: FlowBench) -> Int { bench.reader.exchangeCounts["sign", default: 0] }

    /// Review, yes, CVC, sign. Of a card that was never seen the review claims nothing, and what the keys told is told then;
    /// of one whose keys are known everything is told at once.
    @Test func theReviewComesBeforeTheCVC() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let store = MemoryStore()
        let psbt = try bench.wallet().psbt()
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let signing = try await manager([bench], person, store: store).sign(psbt)
        #expect(signing.isKept && signing.interruption == nil)
        try await signing.expectComplete()
        #expect(person.words == ["first", "cvc", "review"])
        guard case .question(let first)? = person.entries.first, case .cvc(let request) = person.entries[1] else {
            throw ScriptedInteraction.Declined()
        }
        // What the CVC is for is what was shown.
        #expect(request.purpose == .signTransaction(first.review))
        #expect(first.signatureCount == nil)
        #expect(first.review.inputs.allSatisfy { $0.path == nil })
        #expect(first.review.outputs.allSatisfy { !$0.isProvenChange })

        let status = try await TapCard(reader: bench.reader).perform { $0.status }
        try store.save(CardRecord(status, fingerprint: bench.wallet().fingerprint, lastSeen: 7))
        #expect(store.deleteTransaction(psbt.unsignedTransaction.id))
        let again = ScriptedInteraction(cvc: FlowBench.cvc)
        _ = try await manager([bench], again, store: store).sign(psbt)
        #expect(again.words == ["first", "cvc"])
        guard case .question(let known)? = again.entries.first else { throw ScriptedInteraction.Declined() }
        #expect(known.signatureCount == psbt.inputs.count)
        #expect(known.review.inputs.allSatisfy { $0.path != nil })
    }

    /// Without any card: what the store has proven of a card's accounts proves change, and nothing is stored by the look.
    @Test func whatTheStoreHasProvenIsShownAsProven() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let store = MemoryStore()
        let psbt = try bench.wallet().psbt()
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try manager([bench], person, store: store)
        let stranger = manager.review(of: psbt, network: .regtest)
        #expect(stranger.review?.evidence == .nothing && stranger.review?.doubtfulChange.map(\.index) == [1])
        #expect(stranger.review?.leaving?.satoshis == 51_000 && store.transactionCount() == 0)

        _ = try await manager.sign(psbt)
        #expect(store.deleteTransaction(psbt.unsignedTransaction.id))
        // The card has proven its account, not its master key; that the PSBT gives it this fingerprint shows its keys.
        let master = try bench.wallet().fingerprint
        for fingerprint in [nil, master] {
            let status = try await TapCard(reader: bench.reader).perform { $0.status }
            store.save(CardRecord(status, fingerprint: fingerprint, lastSeen: 7))
            let known = manager.review(of: psbt, network: .regtest)
            #expect(known.review?.evidence == .keys && known.review?.change.map(\.index) == [1])
            #expect(known.review?.doubtfulChange.isEmpty == true && known.review?.leaving?.satoshis == 51_000)
            #expect(known.network == .regtest && store.transactionCount() == 0)
        }
    }

    /// Whoever names the card's fingerprint beside keys of his own gets no change proven by the card's account.
    @Test func aKeyThatIsNotTheCardsProvesNothing() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let store = MemoryStore()
        let manager = try manager([bench], ScriptedInteraction(cvc: FlowBench.cvc), store: store)
        _ = try await manager.sign(bench.wallet().psbt())
        let other = try SampleWallet(seed: 8).psbt()
        #expect(manager.review(of: other, network: .regtest).review?.evidence == .nothing)
    }

    /// What is signed already needs no card, no yes and no CVC; it is shown, with what is wrong with it.
    @Test func whatIsSignedIsOnlyShown() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let store = MemoryStore()
        let psbt = try bench.wallet().psbt()
        _ = try await manager([bench], ScriptedInteraction(cvc: FlowBench.cvc), store: store).sign(psbt)

        var bare = psbt
        for index in bare.inputs.indices { bare[input: index].nonWitnessUTXO = nil }
        for (given, warnings) in [(psbt, []), (bare, [FindingCode.amountNotProven])] {
            let person = ScriptedInteraction(isAgreed: false)
            let again = try await manager([], person, store: store).sign(given)
            #expect(again.result.added == 0 && again.result.transaction != nil && again.interruption == nil)
            #expect(person.words == ["alreadySigned"] && again.signers.isEmpty && again.isKept)
            guard case .notice(.alreadySigned(let review, let findings))? = person.entries.first else {
                throw ScriptedInteraction.Declined()
            }
            #expect(review.change.map(\.index) == [1])
            #expect(findings.filter { $0.severity == .warning }.map(\.code) == warnings)
        }

        // It contradicts what is stored: refused, as before signing.
        var lie = psbt
        lie[input: 0].nonWitnessUTXO = nil
        lie[input: 0].witnessUTXO?.value += 1
        let person = ScriptedInteraction(isAgreed: false)
        await #expect(throws: (any Error).self) { try await manager([], person, store: store).sign(lie) }
        #expect(person.words.isEmpty)
    }

    /// A card that is known to have no key in a PSBT is asked for no CVC to find that out.
    @Test func aCardWithoutAKeyIsNotAskedForACVC() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let store = MemoryStore()
        let status = try await TapCard(reader: bench.reader).perform { $0.status }
        try store.save(CardRecord(status, fingerprint: bench.wallet().fingerprint, lastSeen: 7))
        let person = ScriptedInteraction(isAgreed: false)
        let foreign = try SampleWallet(seed: 8).psbt()
        let error = await #expect(throws: FlowError.self) {
            try await manager([bench], person, store: store).sign(foreign)
        }
        #expect(error?.code == .nothingToSign && person.words.isEmpty)
    }

    /// A card that has given its part is not asked for a CVC to find that out, once its keys are known.
    @Test func aCardThatHasSignedIsNotAskedAgain() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let store = MemoryStore()
        let psbt = try bench.wallet().psbt()
        _ = try await manager([bench], ScriptedInteraction(cvc: FlowBench.cvc), store: store).sign(psbt)
        let status = try await TapCard(reader: bench.reader).perform { $0.status }
        try store.save(CardRecord(status, fingerprint: bench.wallet().fingerprint, lastSeen: 7))
        let person = ScriptedInteraction(isAgreed: false)
        let again = try await manager([bench], person, store: store).sign(
            psbt, with: .identContaining(bench.ident.description))
        #expect(person.words == ["alreadySigned"] && again.result.transaction != nil)
        #expect(again.signers.map(\.signed) == [0] && again.signers.map(\.card) == [bench.ident])
    }

    /// What the file calls change, and the card's keys do not know, was shown as coming back: that is asked about again.
    @Test func changeThatTheFileInventsIsAskedAboutAgain() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let (own, other) = (try bench.wallet(), try SampleWallet(seed: 8))
        var psbt = try own.psbt()
        // Another signer's input would have this fingerprint; the output is his.
        psbt[input: 0].addDerivation(try other.derivation(other.path(.p2wpkh, branch: 0, index: 0)))
        psbt[output: 0].addDerivation(try other.derivation(other.path(.p2wpkh, branch: 1, index: 0)))
        let person = ScriptedInteraction(answer: { question in
            if case .worse(let news) = question.occasion {
                #expect(news.map(\.subject) == [.output(0)] && news.map(\.code) == [.changeNotProven])
                throw ScriptedInteraction.Declined()
            }
            #expect(question.review.doubtfulChange.map(\.index) == [0, 1])
        }) { _ in FlowBench.cvc }
        await #expect(throws: ScriptedInteraction.Declined.self) { try await manager([bench], person).sign(psbt) }
        #expect(person.words == ["first", "cvc", "worse"])
    }

    /// A no before the CVC costs the card nothing; a person who is told what lies never comes so far.
    @Test func aNoCostsNothing() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let psbt = try bench.wallet().psbt()
        let person = ScriptedInteraction(answer: { _ in throw ScriptedInteraction.Declined() }) { _ in FlowBench.cvc }
        await #expect(throws: ScriptedInteraction.Declined.self) { try await manager([bench], person).sign(psbt) }
        #expect(person.words == ["first"])
        #expect(Set(bench.reader.exchangeCounts.keys).isSubset(of: ["select", "status"]))

        var lie = psbt
        lie[input: 0].witnessUTXO = TransactionOutput(value: 1, scriptPubKey: Script([0x51]))
        let other = ScriptedInteraction(cvc: FlowBench.cvc)
        await #expect(throws: FlowError.self) { try await manager([bench], other).sign(lie) }
        #expect(other.words.isEmpty)
    }

    /// A CVC that the card refused is not sent again, and every one that is wrong costs one try.
    @Test func aRefusedCVCIsNotSentTwice() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let psbt = try bench.wallet().psbt()
        let person = ScriptedInteraction { request in
            guard let refusal = request.refusal else { return "111111" }
            return refusal.isRepeated ? FlowBench.cvc : "111111"
        }
        let signing = try await manager([bench], person).sign(psbt)
        try await signing.expectComplete()
        #expect(person.words == ["first", "cvc", "cvc again", "cvc again", "review"])
        #expect(bench.watch.wrongCVCs == 1)

        // Somebody who knows no other is asked so often, and no more.
        let stubborn = ScriptedInteraction { _ in "222222" }
        await #expect(throws: FlowError.self) { try await manager([bench], stubborn).sign(psbt) }
        #expect(bench.watch.wrongCVCs == 2)
    }

    /// What only the card's keys could tell is asked about again; a no then leaves the card unasked.
    @Test func whatTheKeysMakeWorseIsAskedAgain() async throws {
        struct Strict: SigningCheck {
            func findings(in context: SigningContext) -> [Finding] {
                [.policy(.warning, .transaction, "This is more than the house allows.")]
            }
        }
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let psbt = try bench.wallet().psbt()
        var policy = SigningPolicy()
        policy.checks = [Strict()]
        let person = ScriptedInteraction(answer: { question in
            if case .worse(let news) = question.occasion {
                #expect(news.map(\.code) == [.policy])
                throw ScriptedInteraction.Declined()
            }
        }) { _ in FlowBench.cvc }
        await #expect(throws: ScriptedInteraction.Declined.self) {
            try await manager([bench], person).sign(psbt, policy: policy)
        }
        #expect(person.words == ["first", "cvc", "worse"])
        // The probe of the account alone.
        #expect(signatures(bench) == 1)
    }

    /// Two cards at once; when the second one's CVC is not to be had, the first one's signatures are in the report and in
    /// the store, and the next call asks the second card alone.
    @Test func whatOneCardSignedIsNotLostWithTheNext() async throws {
        var generator = SeededGenerator()
        let benches = [try await FlowBench.ready(using: &generator), try await FlowBench.ready(using: &generator)]
        let wallets = try benches.map { try $0.wallet() } + [SampleWallet(seed: 3)]
        let psbt = try SampleMultisig(.p2wsh, wallets).psbt()
        let store = MemoryStore()
        let person = ScriptedInteraction { [ident = benches[1].ident] request in
            guard request.card.ident != ident else { throw ScriptedInteraction.Declined() }
            return FlowBench.cvc
        }
        let signing = try await manager(benches, person, store: store).sign(psbt)
        #expect(signing.interruption is ScriptedInteraction.Declined && signing.isBetweenSigners)
        #expect(signing.result.added == 1 && signing.signers.map(\.card) == [benches[0].ident] && signing.isKept)
        #expect(person.words == ["first", "cvc", "review", "furtherSigner", "cvc"])

        let other = ScriptedInteraction(cvc: FlowBench.cvc)
        let rest = try await manager([benches[1]], other, store: store).sign(psbt)
        #expect(rest.result.added == 1)
        try await rest.expectComplete()
        #expect(rest.signers.map(\.card) == [benches[1].ident])
    }

    /// Whom another transaction pays already is said before the CVC, and once: whoever built the PSBT, nobody here was
    /// asked.
    @Test(arguments: [true, false]) func whoIsPaidAlreadyIsToldBeforeTheCVC(_ isSent: Bool) async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let store = MemoryStore()
        let other = try SampleWallet(seed: 8)
        let stored = StoredTransaction(
            psbt: try other.signed(other.psbt()), created: UnixTime(seconds: 1), updated: UnixTime(seconds: 1),
            sent: isSent ? UnixTime(seconds: 2) : nil)
        _ = try store.updateTransaction(stored.id) { _ throws(StoreError) in stored }
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let report = try await manager([bench], person, store: store).sign(bench.wallet().psbt())
        #expect(person.words == ["first", "cvc", "review"])
        guard case .question(let asked)? = person.entries.first else { throw ScriptedInteraction.Declined() }
        let found = asked.findings.filter { $0.code == .addressAlreadyPaid }
        #expect(found.map(\.severity) == [isSent ? .warning : .notice])
        #expect(found.first?.message.contains("\(stored.id)") == true)
        #expect(report.findings.filter { $0.code == .addressAlreadyPaid } == found)
    }

    /// A card that was chosen by a fingerprint which is not its own signs nothing.
    @Test func aCardOfAnotherFingerprintSignsNothing() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let psbt = try bench.wallet().psbt()
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let manager = try manager([bench], person)
        let card = try await manager.card()
        let error = await #expect(throws: CardSearchError.self) {
            try await manager.sign(psbt, on: card, expecting: .zero)
        }
        #expect(error?.code == .anotherCard)
        // The probes of the account and of the master key alone.
        #expect(signatures(bench) == 2)
        let own = try bench.wallet().fingerprint
        #expect(try manager.knownFingerprint(of: card) == own)
        try await manager.sign(psbt, on: card, expecting: own).expectComplete()
    }

    /// A PSBT of which some keys are said to have the fingerprint 0 is looked at like any other: no key is anybody's.
    @Test func aFingerprintOfZeroesIsNobodys() throws {
        let wallet = SampleWallet(master: try SampleWallet(seed: 4).master, posingAs: .zero)
        let (review, findings) = SigningPlanner(psbt: try wallet.psbt(), network: .test).review()
        #expect(review != nil && !findings.contains { $0.severity == .refusal })
    }

    /// Of several cards that may help, and cannot, that is said: it is not that no card is there.
    @Test func cardsThatCannotHelpAreNoCardsThatAreMissing() async throws {
        var generator = SeededGenerator()
        let benches = [try await FlowBench.ready(using: &generator), try await FlowBench.ready(using: &generator)]
        let strangers = try [SampleWallet(seed: 5), SampleWallet(seed: 6), SampleWallet(seed: 7)]
        let psbt = try SampleMultisig(.p2wsh, strangers).psbt()
        let person = ScriptedInteraction(cvc: FlowBench.cvc)
        let error = await #expect(throws: CardSearchError.self) { try await manager(benches, person).sign(psbt) }
        #expect(error?.code == .nothingToSign)
        #expect(person.words.filter { $0 == "cannotHelp" }.count == 2)
    }

    /// A warning whose figures the keys make larger is another warning, whatever was said to the first one: what the
    /// change hid of the fee comes out.
    @Test func aFeeThatTheChangeHidIsAskedAboutAgain() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        var recipe = SampleWallet.Recipe()
        (recipe.payment, recipe.fee) = (1_000, 20_000)
        let psbt = try bench.wallet().psbt(recipe)
        let person = ScriptedInteraction(answer: { question in
            #expect(question.findings.contains { $0.code == .feeHigh })
            if case .worse = question.occasion { throw ScriptedInteraction.Declined() }
        }) { _ in FlowBench.cvc }
        await #expect(throws: ScriptedInteraction.Declined.self) { try await manager([bench], person).sign(psbt) }
        #expect(person.words == ["first", "cvc", "worse"])
    }
}
