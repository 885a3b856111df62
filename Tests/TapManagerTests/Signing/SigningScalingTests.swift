import Bitcoin
import TestSupport
import Testing

@testable import TapManager

/// What is made out of a PSBT takes time that grows as it does.
@Suite struct SigningScalingTests {
    private let bench: PlanBench
    private let strangers: [[UInt8]]

    init() throws {
        bench = try PlanBench()
        let rest = [UInt8](repeating: 1, count: 30)
        strangers = (0..<4_096).map { (number: Int) -> [UInt8] in [2, UInt8(number >> 8), UInt8(number & 0xFF)] + rest }
    }

    private func psbt(strangers count: Int, _ fingerprint: Fingerprint, inOutput: Bool = false) throws -> PSBT {
        var psbt = try bench.wallet.psbt()
        let path = try bench.wallet.path(.p2wpkh, branch: 0, index: 7)
        // From the last to the first: each new one is put in front of all.
        for key in strangers.prefix(count).reversed() {
            let derivation = KeyDerivation(publicKey: key, fingerprint: fingerprint, path: path)
            if inOutput { psbt[output: 1].addDerivation(derivation) } else { psbt[input: 0].addDerivation(derivation) }
        }
        return psbt
    }

    @Test func inputs() throws {
        try Scaling.expectLinear("inputs", from: 4, upTo: 512) { size in
            var recipe = SampleWallet.Recipe()
            recipe.kinds = .init(repeating: .p2wpkh, count: size)
            return try bench.wallet.psbt(recipe)
        } work: { psbt in
            let plan = try bench.plan(psbt)
            #expect(plan.signatureCount == psbt.inputs.count)
            #expect(SignatureTally(psbt).missing == psbt.inputs.count)
        }
    }

    @Test func derivationsOfOthers() throws {
        let stranger = Fingerprint(of: try SampleWallet(seed: 2).publicKey(DerivationPath()))
        try Scaling.expectLinear("derivations of an input", upTo: 2_048) { size in
            try psbt(strangers: size, stranger)
        } work: { psbt in
            let plan = try bench.plan(psbt)
            #expect(plan.signatureCount == 1)
        }
        try Scaling.expectLinear("derivations of an output", upTo: 2_048) { size in
            try psbt(strangers: size, stranger, inOutput: true)
        } work: { psbt in
            let plan = try bench.plan(psbt)
            #expect(plan.signatureCount == 1)
        }
    }

    /// One false claim is enough to refuse; the others are not even judged.
    @Test func falseClaims() throws {
        let (few, limit) = (try psbt(strangers: 5, bench.wallet.fingerprint), KeyClaim.maximumFalseClaims)
        #expect(try bench.refusals(few) == .init(repeating: .derivationMismatch, count: 5))
        for isOutput in [false, true] {
            try Scaling.expectLinear("false claims, of an output: \(isOutput)", upTo: 2_048) { size in
                try psbt(strangers: size, bench.wallet.fingerprint, inOutput: isOutput)
            } work: { psbt in
                let refusals = try bench.refusals(psbt)
                #expect(refusals.count == (isOutput ? 1 : limit + 1))
            }
        }
        var messages: [String] = []
        do {
            _ = try bench.plan(psbt(strangers: 100, bench.wallet.fingerprint))
        } catch let refusal as SigningRefusal {
            messages = refusal.findings.map(\.message)
        }
        #expect(messages.count == limit + 1 && messages.last?.contains("more than \(limit) keys") == true)
        // With as many false ones as are judged in front of it a true one is still found.
        var mixed = try psbt(strangers: limit - 1, bench.wallet.fingerprint)
        let path = try bench.wallet.path(.p2wpkh, branch: 0, index: 0)
        mixed[input: 0].addDerivation(try bench.wallet.derivation(path))
        #expect(try bench.refusals(mixed).count == limit - 1)
    }

    /// Extended keys of one holder in ever new pairs, each proven by an input of its own.
    @Test func cosignersKeys() throws {
        let key = try bench.wallet.extendedKey(bench.wallet.accountPath(.p2wpkh))
        let keys = (0..<4_096).map { number in
            ExtendedPublicKey(
                network: key.network, depth: 1, childNumber: ChildNumber(rawValue: UInt32(number)),
                chainCode: key.chainCode, publicKey: key.publicKey)
        }
        try Scaling.expectLinear("extended keys of one holder", upTo: keys.count) { size in
            Array(keys.prefix(size))
        } work: { keys in
            var holders = HolderSets()
            for key in keys { holders.add(key) }
            for (one, other) in zip(keys, keys.dropFirst()) { holders.unite([other, one]) }
            #expect(Set(keys.map { holders.holder(of: $0) }).count == 1)
        }
    }

    /// A PSBT that spends nothing, or pays nothing, is refused, in either version.
    @Test(arguments: [PSBT.Version.v0, .v2]) func emptyPSBTs(_ version: PSBT.Version) throws {
        let full = try bench.wallet.psbt().unsignedTransaction
        let samples: [([TransactionInput], [TransactionOutput], String)] = [
            ([], full.outputs, "no inputs"), (full.inputs, [], "no outputs"), ([], [], "no inputs and no outputs"),
        ]
        for (inputs, outputs, words) in samples {
            let psbt = try PSBT(unsignedTransaction: Transaction(inputs: inputs, outputs: outputs)).converted(
                to: version)
            do {
                _ = try bench.plan(try PSBT(serialized: psbt.serialized()))
                Issue.record("a plan for \(words)")
            } catch let refusal as SigningRefusal {
                #expect(refusal.findings.contains { $0.code == .transactionEmpty && $0.message.contains(words + ".") })
            }
        }
    }

    /// Who imports a PSBT, or writes the store, can bring as many signatures by keys of his own as he likes.
    @Test func signaturesOfStrangers() throws {
        var psbt = try bench.wallet.psbt()
        // OP_1 OP_1ADD: of a template, the keys are known, and no other signature is even looked at.
        let script = Script([0x51, 0x8B])
        psbt[input: 0].nonWitnessUTXO = nil
        psbt[input: 0].witnessUTXO = TransactionOutput(value: 100_000, scriptPubKey: .p2wsh(script))
        psbt[input: 0].witnessScript = script
        let digest = try psbt.spending(ofInput: 0).digest(.all, using: SighashCache(psbt.unsignedTransaction))
        var generator = SeededGenerator()
        let signatures = (0..<1_024).map { _ in
            let key = PrivateKey(using: &generator)
            return PartialSignature(key.signGrindingLowR(digest: digest), by: key.publicKey)
        }
        try Scaling.expectLinear("signatures of strangers", from: 16, upTo: signatures.count) { size in
            var signed = psbt
            signed.addPartialSignatures(Array(signatures.prefix(size)), toInput: 0)
            return signed
        } work: { signed in
            let taken = psbt.takingSignatures(of: signed)
            #expect(taken.inputs[0].partialSignatures.count == signed.inputs[0].partialSignatures.count)
            #expect(taken.serialized() == signed.serialized())
            #expect(
                psbt.takingSignatures(of: signed, askedOf: bench.wallet.fingerprint).serialized() == psbt.serialized())
        }
    }
}
