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
        psbt[output: 1] = PSBT.Output()
        psbt[output: 1].witnessScript = script
        let path = try change.path(1, 0)
        psbt[output: 1].addDerivation(try bench.wallet.derivation(path))
        for (stranger, cosigner) in zip(strangers, others) {
            psbt[output: 1].addDerivation(
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

    /// A key of a change output: whose it is, where it stands, and whose it is said to be.
    private typealias Seat = (holder: SampleWallet, path: String, name: SampleWallet)

    /// The PSBT with its change sent to a script of these keys.
    private func psbt(inputs: Int = 2, changeTo seats: [Seat], _ multisig: SampleMultisig) throws -> PSBT {
        var fields = PSBT.Output()
        var keys: [PublicKey] = []
        for seat in seats {
            let path = try DerivationPath(parsing: "\(multisig.account)/\(seat.path)")
            let key = try seat.holder.publicKey(path)
            keys.append(key)
            fields.addDerivation(
                KeyDerivation(publicKey: key.bytes, fingerprint: seat.name.fingerprint, path: path))
        }
        let script = try MultisigScript(threshold: 2, sorting: keys).script
        switch multisig.form {
        case .p2sh: fields.redeemScript = script
        case .p2wsh: fields.witnessScript = script
        case .p2shP2WSH: (fields.witnessScript, fields.redeemScript) = (script, .p2wsh(script))
        }
        return try bent(
            try multisig.psbt(inputs: inputs), script: multisig.scriptPubKey(script), fields: fields)
    }

    /// A cosigner puts a second key of his own where another cosigner's belongs: two of three are his.
    @Test(arguments: SampleMultisig.Form.allCases) func aCosignerTakesTheChange(_ form: SampleMultisig.Form) throws {
        let (ours, thief, robbed) = (bench.wallet, others[0], others[1])
        let honest = multisig(form)
        // Under his own name, and under the other's name, where he says that the other's extended key is his.
        let open = try psbt(changeTo: [(ours, "1/7", ours), (thief, "1/7", thief), (thief, "1/8", thief)], honest)
        #expect(try bench.refusals(open) == [.changeCosignersDiffer])
        var disguised = try psbt(
            changeTo: [(ours, "1/7", ours), (thief, "1/7", thief), (thief, "1/8", robbed)], honest)
        #expect(try bench.refusals(disguised) == [.changeCosignersDiffer])
        let account = try DerivationPath(parsing: honest.account)
        disguised.addGlobalExtendedKey(
            try #require(
                ExtendedKeyDerivation(
                    try thief.extendedKey(account), origin: KeyOrigin(fingerprint: robbed.fingerprint, path: account))))
        #expect(try bench.refusals(disguised) == [.changeCosignersDiffer])
    }

    /// The robbed cosigner's keys and extended key go by the thief's name and path everywhere, so that two keys of that
    /// name are what the inputs have, too.
    @Test(arguments: SampleMultisig.Form.allCases) func aCosignerWhoLendsHisNameTakesNoChange(
        _ form: SampleMultisig.Form
    ) throws {
        let (ours, thief) = (bench.wallet, others[0])
        let renamed = SampleWallet(master: others[1].master, posingAs: thief.fingerprint)
        let lent = SampleMultisig(form, [ours, thief, renamed])
        #expect(try bench.warnings(try lent.psbt()) == [])
        let taken = try psbt(changeTo: [(ours, "1/7", ours), (thief, "1/7", thief), (thief, "1/8", thief)], lent)
        #expect(try bench.refusals(taken) == [.changeCosignersDiffer])
    }

    /// The thief's extended key and the one a step below it are one holder's.
    @Test func anExtendedKeyAndItsChildAreOneCosigners() throws {
        let (ours, thief) = (bench.wallet, others[0])
        let honest = SampleMultisig(
            .p2wsh, [ours, thief, SampleWallet(master: others[1].master, posingAs: thief.fingerprint)])
        let branch = try DerivationPath(parsing: "\(honest.account)/0")
        var psbt = try psbt(changeTo: [(ours, "0/7", ours), (thief, "0/7", thief), (thief, "1/7", thief)], honest)
        psbt.addGlobalExtendedKey(
            try #require(
                ExtendedKeyDerivation(
                    try thief.extendedKey(branch), origin: KeyOrigin(fingerprint: thief.fingerprint, path: branch))))
        #expect(try bench.refusals(psbt) == [.changeCosignersDiffer])
    }

    /// In one input the thief's key goes by his own name, in the other by the robbed one's.
    @Test func aKeyThatChangesItsNameProvesNothing() throws {
        let (ours, thief, robbed) = (bench.wallet, others[0], others[1])
        let honest = multisig()
        var psbt = try psbt(changeTo: [(ours, "1/7", ours), (thief, "1/7", thief), (thief, "1/8", robbed)], honest)
        let account = try DerivationPath(parsing: honest.account)
        let path = try honest.path(0, 1)
        var swapped = PSBT.Input()
        (swapped.nonWitnessUTXO, swapped.witnessUTXO, swapped.witnessScript) = (
            psbt.inputs[1].nonWitnessUTXO, psbt.inputs[1].witnessUTXO, psbt.inputs[1].witnessScript
        )
        for (holder, name) in [(ours, ours), (thief, robbed), (robbed, thief)] {
            swapped.addDerivation(
                KeyDerivation(
                    publicKey: try holder.publicKey(path).bytes, fingerprint: name.fingerprint, path: path))
        }
        psbt[input: 1] = swapped
        for (holder, name) in [(thief, robbed), (robbed, thief)] {
            psbt.addGlobalExtendedKey(
                try #require(
                    ExtendedKeyDerivation(
                        try holder.extendedKey(account), origin: KeyOrigin(fingerprint: name.fingerprint, path: account)
                    )))
        }
        // A PSBT holds each extended key once, so under one name it does not derive the keys of both inputs.
        #expect(try bench.warnings(psbt) == [.changeNotProven])
        #expect(try bench.plan(psbt).review.outputs.map(\.isProvenChange) == [false, false])
    }

    /// The inputs themselves are two keys of the thief's against one of ours: what comes back there is his.
    @Test func inputsWithTwoKeysOfOneCosignerProveNoChange() throws {
        let (ours, thief) = (bench.wallet, others[0])
        let account = try DerivationPath(parsing: multisig().account)
        let trap = { (branch: Int, index: Int) throws in
            CraftedScript(
                .multisig(.p2wsh), threshold: 2,
                try [(ours, index), (thief, index), (thief, index + 1)].map { holder, index in
                    .init(holder, account.appending(try DerivationPath(parsing: "\(branch)/\(index)")))
                })
        }
        var crafted = CraftedPSBT()
        crafted.inputs = [(try trap(0, 0), 100_000), (try trap(0, 4), 100_000)]
        crafted.outputs = [(try trap(1, 0), 149_000)]
        crafted.extendedKeys = try [ours, thief].map {
            (try $0.extendedKey(account), KeyOrigin(fingerprint: $0.fingerprint, path: account))
        }
        #expect(try bench.refusals(try crafted.psbt()) == [.changeCosignersDiffer])
        // Where the output's two keys of his pass for one, the inputs' do not.
        crafted.outputs[0].script.seats[2].name = nil
        #expect(try bench.refusals(try crafted.psbt()) == [.changeCosignersDiffer])
    }

    /// Ransom: a cosigner's key at a place where nobody looks, or not at ours.
    @Test(arguments: ["1/2000000000", "1/8", "0/7", "2/7"]) func aCosignersKeyAtAnotherPlace(_ place: String) throws {
        let (ours, one, two) = (bench.wallet, others[0], others[1])
        let psbt = try psbt(changeTo: [(ours, "1/7", ours), (one, "1/7", one), (two, place, two)], multisig())
        #expect(try bench.warnings(psbt) == [.changePathUnusual])
        let honest = try self.psbt(changeTo: [(ours, "1/7", ours), (one, "1/7", one), (two, "1/7", two)], multisig())
        #expect(try bench.warnings(honest) == [])
    }

    /// All keys at one place, but far from those in use.
    @Test(arguments: [(1000, true), (1001, false), (1_000_000, false)])
    func changeFarFromTheIndexesInUse(_ index: Int, _ isFound: Bool) throws {
        let seats: [Seat] = ([bench.wallet] + others).map { ($0, "1/\(index)", $0) }
        #expect(try bench.warnings(try psbt(changeTo: seats, multisig())) == (isFound ? [] : [.changePathUnusual]))
    }

    /// An extended key of a cosigner's true key and a stranger's chain code: its children are found by nobody else.
    @Test func anExtendedKeyIsNotProvenByItsOwnKey() throws {
        var multisig = multisig()
        multisig.hasExtendedKeys = false
        var psbt = try multisig.psbt()
        let path = try multisig.path(0, 0)
        let last = try #require(path.steps.last)
        for cosigner in others {
            let key = ExtendedPublicKey(
                network: .test, depth: UInt8(path.steps.count), childNumber: last,
                chainCode: ChainCode(repeating: 1), publicKey: try cosigner.publicKey(path))
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
        psbt[input: 0].witnessScript = try multisig().script(0, 9)
        #expect(try bench.refusals(psbt).contains(.witnessScriptMismatch))
        psbt[input: 0].witnessScript = nil
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
        bent.setInputs(psbt.inputs)
        bent[output: 1] = fields
        return bent
    }

    private func output(witnessScript: Script) -> PSBT.Output {
        var fields = PSBT.Output()
        fields.witnessScript = witnessScript
        return fields
    }
}
