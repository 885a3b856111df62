import Bitcoin
import FlowSupport
import TapProtocol
import TapSimulator
import TestSupport
import Testing

@testable import TapManager

/// Signing what is stored, when the user has a file of the same transaction.
@Suite struct StoredSigningTests {
    private let yes = { @Sendable in ScriptedInteraction(cvc: FlowBench.cvc) }

    /// Two cards of a 2-of-3, and its transaction.
    private func cosigners() async throws -> (benches: [FlowBench], psbt: PSBT) {
        var generator = SeededGenerator()
        let benches = [try await FlowBench.ready(using: &generator), try await FlowBench.ready(using: &generator)]
        let wallets = try benches.map { try $0.wallet() } + [SampleWallet(seed: 3)]
        return (benches, try SampleMultisig(.p2wsh, wallets).psbt())
    }

    /// A cosigner's signature that only the file has makes the transaction complete with the card's own.
    @Test func signaturesOfTheFileCount() async throws {
        let (benches, psbt) = try await cosigners()
        let given = try await benches[0].manager(yes()).sign(psbt).result.psbt
        #expect(SignatureTally(given).present == 1)
        let manager = try benches[1].manager(yes())
        let stored = try manager.importTransaction(psbt).transaction
        let report = try await manager.sign(stored, givenAs: given)
        #expect(report.result.added == 1 && report.signers.map(\.card) == [benches[1].ident])
        try await report.expectComplete()
    }

    /// Nothing is asked, and nothing signed, if the file is of another transaction.
    @Test func anotherTransactionIsRefused() async throws {
        let (benches, psbt) = try await cosigners()
        let person = yes()
        let manager = try benches[1].manager(person)
        let stored = try manager.importTransaction(psbt).transaction
        let other = try benches[1].wallet().psbt()
        await #expect(throws: PSBTError.otherTransaction(other.unsignedTransaction.id)) {
            try await manager.sign(stored, givenAs: other)
        }
        #expect(person.words.isEmpty && benches[1].reader.exchangeCounts["sign", default: 0] == 0)
    }

    /// A sweep was planned here: no file changes what is signed.
    @Test func aSweepIsSignedAsStored() async throws {
        var generator = SeededGenerator()
        let bench = try SweepBench(opened: 1, using: &generator)
        try bench.fund(0, 20_000, salt: 1)
        let id = try await bench.sweep(ScriptedInteraction(cvc: "111111")).signing.plan.psbt.unsignedTransaction.id
        let stored = try #require(bench.store.transaction(id))
        let person = yes()
        let report = try await bench.manager(person).sign(stored, givenAs: SampleWallet(seed: 3).psbt())
        #expect(person.words == ["sweep", "cvc"] && report.result.transaction?.id == id)
        try await report.expectComplete()
    }

    /// Somebody has one transaction signed in two parts, each of which does not say whose the other's coin is: the
    /// second time, both coins leave. Nothing is written into the PSBT for that.
    @Test(arguments: SampleWallet.Kind.allCases, [false, true])
    func inTwoPartsNoLessLeaves(_ kind: SampleWallet.Kind, isFinal: Bool) async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [.p2wpkh, kind]
        recipe.payment = 110_000
        let psbt = try bench.wallet().psbt(recipe)
        let first = try await bench.manager(yes()).sign(psbt.silent(about: 0))
        #expect(first.result.added == 1 && first.result.transaction == nil)
        #expect(first.review.inputs.map { $0.path != nil } == [false, true])

        let status = try await TapCard(reader: bench.reader).perform { $0.status }
        try bench.store.save(CardRecord(status, fingerprint: bench.wallet().fingerprint, lastSeen: 7))
        var given = psbt.silent(about: 1)
        if isFinal {
            given[input: 1].finalScriptSig = first.result.psbt.inputs[1].finalScriptSig
            given[input: 1].finalWitness = first.result.psbt.inputs[1].finalWitness
            #expect(given.inputs[1].isFinal)
        }
        let person = yes()
        let second = try await bench.manager(person).sign(given)
        #expect(second.result.added == 1)
        try await second.expectComplete()
        guard case .question(let question)? = person.entries.first else { throw ScriptedInteraction.Declined() }
        #expect(question.signatureCount == 1)
        for review in [question.review, second.review] {
            #expect(review.leaving?.satoshis == 111_000)
            #expect(review.inputs.allSatisfy { $0.path != nil })
        }
        #expect(second.result.signedPSBT.inputs[1].derivations.isEmpty)
    }

    /// The same of a card's share in coins that are held together, whose script the second part leaves out as well.
    @Test(arguments: SampleMultisig.Form.allCases)
    func inTwoPartsNoLessOfASharedWalletLeaves(_ form: SampleMultisig.Form) async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let multisig = try SampleMultisig(form, [try bench.wallet(), SampleWallet(seed: 2), SampleWallet(seed: 3)])
        let psbt = try multisig.psbt(inputs: 2)
        let first = try await bench.manager(yes()).sign(psbt.silent(about: 0))
        #expect(first.result.added == 1 && first.review.inputs.map { $0.path != nil } == [false, true])

        let second = try await bench.manager(yes()).sign(psbt.silent(about: 1))
        #expect(second.result.added == 1)
        #expect(second.review.inputs.allSatisfy { $0.path != nil })
        #expect(second.result.psbt.inputs.map(\.partialSignatures.count) == [1, 1])
    }

    /// Nor in three parts, of which the second one says that the first one's key is somebody else's.
    @Test func inThreePartsNoLessLeaves() async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [.p2wpkh, .p2wpkh, .p2wpkh]
        recipe.payment = 110_000
        let psbt = try bench.wallet().psbt(recipe)
        _ = try await bench.manager(yes()).sign(psbt.silent(about: 0).silent(about: 2))
        let status = try await TapCard(reader: bench.reader).perform { $0.status }
        try bench.store.save(CardRecord(status, fingerprint: bench.wallet().fingerprint, lastSeen: 7))
        var second = psbt.silent(about: 0)
        let own = try #require(psbt.inputs[1].derivations.first)
        second[input: 1].addDerivation(KeyDerivation(publicKey: own.publicKey, fingerprint: .zero, path: own.path))
        let middle = try await bench.manager(yes()).sign(second)
        #expect(middle.result.added == 1 && middle.result.transaction == nil)
        let last = try await bench.manager(yes()).sign(psbt.silent(about: 1).silent(about: 2))
        #expect(last.review.leaving?.satoshis == 111_000)
        try await last.expectComplete()
    }

    /// What was stored about a key that has signed can be a lie, also about a path where the card never was: an honest
    /// PSBT is signed as if it were not there.
    @Test(arguments: ["m/84h/1h/0h/0/77", "m/84h/1h/9h/0/0"])
    func aStoredLieRefusesNothing(_ path: String) async throws {
        var generator = SeededGenerator()
        let bench = try await FlowBench.ready(using: &generator)
        let own = try bench.wallet()
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [.p2wpkh, .p2wpkh]
        let psbt = try own.psbt(recipe)
        let key = try #require(psbt.inputs[0].derivations.first).publicKey
        let lie = KeyDerivation(
            publicKey: key, fingerprint: own.fingerprint, path: try DerivationPath(parsing: path))
        var stored = psbt.silent(about: 0)
        stored[input: 0].addDerivation(lie)
        var given = psbt.silent(about: 0)
        given.addPartialSignature(try #require(own.signed(psbt).inputs[0].partialSignatures.first), toInput: 0)
        #expect(given.earlierClaims(of: stored)[0]?.derivations == [lie])

        let manager = try bench.manager(yes())
        _ = try manager.importTransaction(stored)
        let report = try await manager.sign(given)
        #expect(report.result.added == 1)
        try await report.expectComplete()
        #expect(report.review.inputs.map { $0.path != nil } == [false, true])
        #expect(report.result.signedPSBT.inputs[0].derivations.isEmpty)
        let account = try #require(CardPath(lie.path)).account
        let isOwn = account == bench.record.path
        #expect((bench.store.provenAccount(of: try bench.record.cardKey, at: account) != nil) == isOwn)
    }

    /// The same of a backup, which has the keys of every account.
    @Test(arguments: SampleWallet.Kind.allCases)
    func inTwoPartsNoLessLeavesWithABackup(_ kind: SampleWallet.Kind) throws {
        let wallet = try SampleWallet(seed: 1)
        var recipe = SampleWallet.Recipe()
        recipe.kinds = [.p2wpkh, kind]
        recipe.payment = 110_000
        let psbt = try wallet.psbt(recipe)
        let store = MemoryStore()
        try store.keep(wallet.signed(psbt.silent(about: 0)), at: UnixTime(seconds: 1))
        let given = try store.addingSignatures(to: psbt.silent(about: 1))
        let signer = BackupSigner(try Backup.made(of: wallet.master))
        let plan = try signer.prepare(given, network: nil, policy: SigningPolicy(), store: store)
        #expect(plan.signatureCount == 1 && plan.review.leaving?.satoshis == 111_000)
        let alone = try signer.prepare(given, network: nil, policy: SigningPolicy())
        #expect(alone.review.leaving?.satoshis == 11_000)
    }
}

extension PSBT {
    /// Without the keys of an input, and without signatures of it.
    fileprivate func silent(about index: Int) -> PSBT {
        var silent = self
        silent[input: index] = PSBT.Input()
        silent[input: index].nonWitnessUTXO = inputs[index].nonWitnessUTXO
        silent[input: index].witnessUTXO = inputs[index].witnessUTXO
        return silent
    }
}
