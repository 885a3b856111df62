import Bitcoin
import TapManager
import TestSupport
import Testing

/// Lies about a multisig's change, and about whose keys are the cosigners'.
@Suite struct MultisigLiesTests {
    private let bench: PlanBench
    private let others: [SampleWallet]
    private let strangers: [SampleWallet]

    init() throws {
        bench = try PlanBench()
        others = try [2, 3].map { try SampleWallet(seed: $0) }
        strangers = try [4, 5].map { try SampleWallet(seed: $0) }
    }

    private func multisig(_ form: SampleMultisig.Form = .p2wsh) -> SampleMultisig {
        SampleMultisig(form, [bench.wallet] + others)
    }

    @Test(arguments: SampleMultisig.Form.allCases)
    func changeIsProvenByTheCosignersExtendedKeys(_ form: SampleMultisig.Form) throws {
        var multisig = multisig(form)
        let plan = try bench.plan(try multisig.psbt(inputs: 2))
        #expect(plan.findings.filter { $0.severity > .notice } == [])
        #expect(plan.review.outputs.map(\.isProvenChange) == [false, true])
        #expect(plan.signatureCount == 2)
        multisig.hasExtendedKeys = false
        #expect(try bench.warnings(try multisig.psbt()) == [.changeNotProven])
        #expect(try bench.plan(try multisig.psbt()).review.outputs.map(\.isProvenChange) == [false, false])
    }

    /// In `multi` the keys' order is the cosigners', which is BIP-67's now and then by chance.
    @Test func changeOfUnsortedKeysIsProvenLikeAnyOther() throws {
        var multisig = multisig()
        multisig.isSorted = false
        let plan = try bench.plan(try multisig.psbt(inputs: 5))
        #expect(plan.findings.filter { $0.severity > .notice } == [])
        #expect(plan.review.outputs.map(\.isProvenChange) == [false, true])
    }

    @Test func unsortedChangeOfSortedInputsIsUnusual() throws {
        var change = multisig()
        change.isSorted = false
        #expect(try MultisigScript(change.script(1, 0))?.isSorted == false)
        #expect(try bench.warnings(try multisig().psbt(change: change)) == [.changePathUnusual])
    }

    @Test func changeWithOtherCosigners() throws {
        let change = SampleMultisig(.p2wsh, [bench.wallet, others[0], strangers[0]])
        #expect(try bench.refusals(try multisig().psbt(change: change)) == [.changeCosignersDiffer])
    }

    @Test func changeWithAnotherThreshold() throws {
        var change = multisig()
        change.threshold = 1
        #expect(try bench.refusals(try multisig().psbt(change: change)) == [.changeCosignersDiffer])
    }

    @Test func changeOfAnotherScriptType() throws {
        #expect(try bench.refusals(try multisig().psbt(change: multisig(.p2sh))) == [.changeCosignersDiffer])
        #expect(try bench.refusals(try multisig().psbt(change: multisig(.p2shP2WSH))) == [.changeCosignersDiffer])
    }

    @Test func changeOfAnotherAccountOfTheCosigners() throws {
        var change = multisig()
        change.account = "m/48h/1h/1h/2h"
        #expect(try bench.refusals(try multisig().psbt(change: change)) == [.changeCosignersDiffer])
    }

    @Test func multisigChangeOfSingleKeyInputs() throws {
        let psbt = try bent(try bench.wallet.psbt(), changeTo: multisig())
        #expect(try bench.refusals(psbt) == [.changeCosignersDiffer])
    }

    /// The cosigners' money goes to where one card alone can spend it.
    @Test func singleKeyChangeOfMultisigInputs() throws {
        let path = try multisig().path(1, 0)
        let key = try bench.wallet.publicKey(path)
        let payToKey = Script([33] + key.bytes + [Opcode.checkSignature.rawValue])
        let scripts: [(Script, PSBT.Output)] = [
            (.p2wsh(payToKey), output(witnessScript: payToKey)),
            (.p2wsh(.p2pkh(key)), output(witnessScript: .p2pkh(key))),
            (.p2wpkh(key), PSBT.Output()), (.p2pkh(key), PSBT.Output()), (payToKey, PSBT.Output()),
        ]
        for (script, fields) in scripts {
            var fields = fields
            fields.addDerivation(try bench.wallet.derivation(path))
            let psbt = try bent(try multisig().psbt(), script: script, fields: fields)
            #expect(try bench.refusals(psbt) == [.changeCosignersDiffer])
            let mixed = try bench.wallet.psbt().joined(psbt, extendedKeysOf: [multisig()])
            let plan = try bench.plan(mixed)
            #expect(plan.findings.contains { $0.code == .changeNotProven && $0.subject == .output(1) })
            #expect(plan.review.outputs.map(\.isProvenChange) == [false, false])
        }
    }

    /// Strangers' keys under the cosigners' names and at the cosigners' paths, which is the path of our key too.
    @Test(arguments: [true, false]) func changeToStrangersUnderTheCosignersNames(_ hasExtendedKeys: Bool) throws {
        var multisig = multisig()
        multisig.hasExtendedKeys = hasExtendedKeys
        let change = SampleMultisig(.p2wsh, [bench.wallet] + strangers)
        var psbt = try multisig.psbt(change: change)
        let script = try #require(psbt.outputs[1].witnessScript)
        psbt.outputs[1] = PSBT.Output()
        psbt.outputs[1].witnessScript = script
        let path = try change.path(1, 0)
        psbt.outputs[1].addDerivation(try bench.wallet.derivation(path))
        for (stranger, cosigner) in zip(strangers, others) {
            psbt.outputs[1].addDerivation(
                KeyDerivation(
                    publicKey: try stranger.publicKey(path).bytes, fingerprint: cosigner.fingerprint, path: path))
        }
        if hasExtendedKeys {
            #expect(try bench.refusals(psbt) == [.changeCosignersDiffer])
        } else {
            #expect(try bench.warnings(psbt) == [.changeNotProven])
            #expect(try bench.plan(psbt).review.outputs.map(\.isProvenChange) == [false, false])
        }
    }

    /// A stranger pays a little to a script of our key and his own, all under the cosigners' names, adds extended keys that
    /// derive them, and lets everything come back to such a script.
    @Test(arguments: [true, false])
    func anInputOfStrangersUnderTheCosignersNamesDoesNotProveTheirChange(_ hasTrueKeys: Bool) throws {
        let disguised = zip(strangers, others).map { SampleWallet(master: $0.master, posingAs: $1.fingerprint) }
        var trap = SampleMultisig(.p2wsh, [bench.wallet] + disguised)
        trap.hasExtendedKeys = false
        let psbt = try multisig().psbt().joined(
            try trap.psbt(inputs: 2), extendedKeysOf: hasTrueKeys ? [multisig(), trap] : [trap])
        let plan = try bench.plan(psbt)
        #expect(plan.findings.contains { $0.code == .changeNotProven && $0.subject == .output(1) })
        #expect(plan.review.outputs.map(\.isProvenChange) == [false, false])
    }

    /// A stranger pays a little to a script of our key and his own, and lets everything come back there.
    @Test func anInputOfAStrangersScriptDoesNotProveItsChange() throws {
        var trap = SampleMultisig(.p2wsh, [bench.wallet, strangers[0]])
        trap.threshold = 1
        for (honest, isMultisig) in [(try multisig().psbt(), true), (try bench.wallet.psbt(), false)] {
            let psbt = try honest.joined(
                try trap.psbt(inputs: 2), extendedKeysOf: isMultisig ? [trap, multisig()] : [trap])
            let plan = try bench.plan(psbt)
            #expect(plan.findings.contains { $0.code == .changeNotProven && $0.subject == .output(1) })
            #expect(plan.review.outputs.map(\.isProvenChange) == [false, false])
        }
    }

    /// An extended key of a cosigner's true key and a stranger's chain code: its children are found by nobody else.
    @Test func anExtendedKeyIsNotProvenByItsOwnKey() throws {
        var multisig = multisig()
        multisig.hasExtendedKeys = false
        var psbt = try multisig.psbt()
        let path = try multisig.path(0, 0)
        let last = try #require(path.steps.last)
        for cosigner in others {
            let key = try #require(
                ExtendedPublicKey(
                    network: .test, depth: UInt8(path.steps.count), childNumber: last,
                    chainCode: [UInt8](repeating: 1, count: 32), publicKey: try cosigner.publicKey(path)))
            psbt.addGlobalExtendedKey(
                try #require(
                    ExtendedKeyDerivation(key, origin: KeyOrigin(fingerprint: cosigner.fingerprint, path: path))))
        }
        #expect(try bench.warnings(psbt) == [.changeNotProven])
    }

    @Test func extendedKeysOfStrangersProveNothing() throws {
        var multisig = multisig()
        multisig.hasExtendedKeys = false
        var psbt = try multisig.psbt()
        let path = try DerivationPath(parsing: multisig.account)
        for (cosigner, stranger) in zip(others, strangers) {
            psbt.addGlobalExtendedKey(
                try #require(
                    ExtendedKeyDerivation(
                        try stranger.extendedKey(path), origin: KeyOrigin(fingerprint: cosigner.fingerprint, path: path)
                    )))
        }
        #expect(try bench.warnings(psbt) == [.changeNotProven])
    }

    @Test func witnessScriptOfAnotherHash() throws {
        var psbt = try multisig().psbt()
        psbt.inputs[0].witnessScript = try multisig().script(0, 9)
        #expect(try bench.refusals(psbt).contains(.witnessScriptMismatch))
        psbt.inputs[0].witnessScript = nil
        #expect(try bench.refusals(psbt).contains(.witnessScriptMissing))
    }

    /// The PSBT with its change sent to `change`.
    private func bent(_ psbt: PSBT, changeTo change: SampleMultisig) throws -> PSBT {
        let script = try change.script(1, 0)
        var fields = output(witnessScript: script)
        for cosigner in change.cosigners { fields.addDerivation(try cosigner.derivation(try change.path(1, 0))) }
        return try bent(psbt, script: change.scriptPubKey(script), fields: fields)
    }

    /// The PSBT with its change sent to `script`.
    private func bent(_ psbt: PSBT, script: Script, fields: PSBT.Output) throws -> PSBT {
        var transaction = psbt.unsignedTransaction
        transaction.outputs[1].scriptPubKey = script
        var bent = try PSBT(unsignedTransaction: transaction)
        for key in psbt.globalExtendedKeys { bent.addGlobalExtendedKey(key) }
        bent.inputs = psbt.inputs
        bent.outputs[1] = fields
        return bent
    }

    private func output(witnessScript: Script) -> PSBT.Output {
        var fields = PSBT.Output()
        fields.witnessScript = witnessScript
        return fields
    }
}
