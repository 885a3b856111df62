import TestSupport
import Testing

@testable import Bitcoin

/// Two PSBTs of one transaction that do not say the same of the coins.
@Suite struct PSBTReconcilingTests {
    private func psbt(_ kinds: [SampleWallet.Kind] = [.p2wpkh, .p2wpkh]) throws -> PSBT {
        var recipe = SampleWallet.Recipe()
        recipe.kinds = kinds
        return try SampleWallet(seed: 1).psbt(recipe)
    }

    /// What an input spends, told without proof, and so much less.
    private func claiming(_ psbt: PSBT, less: Int64, ofInput index: Int) throws -> PSBT {
        var liar = psbt
        let coin = try psbt.spentOutput(ofInput: index)
        liar[input: index].nonWitnessUTXO = nil
        liar[input: index].witnessUTXO = TransactionOutput(value: coin.value - less, scriptPubKey: coin.scriptPubKey)
        return liar
    }

    @Test func whatAddsUpIsCombined() throws {
        let whole = try psbt()
        let bare = try claiming(claiming(whole, less: 0, ofInput: 0), less: 0, ofInput: 1)
        var stripped = whole
        for index in stripped.inputs.indices {
            stripped[input: index].nonWitnessUTXO = nil
            stripped[input: index].witnessUTXO = nil
        }
        for (one, other) in [(whole, bare), (bare, whole), (stripped, whole), (whole, stripped), (stripped, bare)] {
            let both = try one.reconciled(with: other)
            #expect(try both.spentOutput(ofInput: 1) == whole.spentOutput(ofInput: 1))
            #expect(try both.serialized() == one.combined(with: other).serialized())
        }
    }

    /// A final input spends what it spent before, whatever fields finalizing took away.
    @Test(arguments: SpendingForm.allCases) func finalInputsAgree(_ form: SpendingForm) throws {
        let unsigned = try SpendingForm.unsignedPSBT([form])
        var signed = unsigned
        let keys = try form.keys()
        for key in form.isMultisig ? [keys[0], keys[2]] : keys { try signed.sign(0, as: form, with: key) }
        var final = signed
        #expect(try final.finalize(input: 0) == .finalized)
        for (one, other) in [(unsigned, final), (final, unsigned), (signed, final), (final, signed)] {
            #expect(try one.reconciled(with: other).inputs[0].isFinal)
        }
    }

    /// A witness UTXO beside a previous transaction that refutes it; records of other types, which combine.
    @Test func aProofRefutesALie() throws {
        var proven = try psbt()
        for index in proven.inputs.indices { proven[input: index].witnessUTXO = nil }
        let liar = try claiming(proven, less: 500, ofInput: 1)
        _ = try proven.combined(with: liar)
        for (one, other) in [(proven, liar), (liar, proven)] {
            #expect(throws: PSBTError.input(1, .otherCoin)) { try one.reconciled(with: other) }
            #expect(throws: PSBTError.input(1, .otherCoin)) { try one.checkCoins(against: other) }
        }
    }

    /// Each of two files lies about the input that the other one is right about: together they hide the fee.
    @Test func twoHalvesOfALieAreRefused() throws {
        let honest = try psbt()
        let bare = try claiming(claiming(honest, less: 0, ofInput: 0), less: 0, ofInput: 1)
        let (one, two) = (
            try claiming(bare, less: 40_000, ofInput: 0), try claiming(bare, less: 40_000, ofInput: 1)
        )
        #expect(throws: PSBTError.self) { try one.reconciled(with: two) }
        #expect(throws: PSBTError.input(0, .otherCoin)) { try one.checkCoins(against: two) }
    }

    /// A coin whose script nobody can open for want of a witness script has an amount all the same.
    @Test func aCoinThatCannotBeOpenedIsComparedToo() throws {
        let honest = try psbt()
        var liar = honest
        let foreign = Script([0x00, 0x20] + [UInt8](repeating: 7, count: 32))
        liar[input: 1].nonWitnessUTXO = nil
        liar[input: 1].witnessUTXO = TransactionOutput(value: 5_000, scriptPubKey: foreign)
        #expect(throws: PSBTError.self) { try liar.spending(ofInput: 1) }
        for (one, other) in [(honest, liar), (liar, honest)] {
            #expect(throws: PSBTError.input(1, .otherCoin)) { try one.checkCoins(against: other) }
            #expect(throws: PSBTError.self) { try one.reconciled(with: other) }
        }
    }

    @Test func otherDemandsAreRefused() throws {
        let silent = try psbt()
        var (all, none) = (silent, silent)
        all[input: 0].sighashType = .all
        none[input: 0].sighashType = SighashType(rawValue: 2)
        _ = try silent.reconciled(with: all)
        for (one, other) in [(silent, none), (none, silent), (all, none)] {
            #expect(throws: PSBTError.input(0, .otherDemand)) { try one.checkCoins(against: other) }
            #expect(throws: PSBTError.self) { try one.reconciled(with: other) }
        }
        // What demands nothing may have signatures of another type, which ALL would make worthless.
        var signed = silent
        let key = [UInt8](silent.inputs[0].derivations[0].publicKey)
        signed.addPartialSignature(PartialSignature(publicKey: key, signature: [0x30, 0x81]), toInput: 0)
        #expect(throws: PSBTError.input(0, .otherDemand)) { try signed.reconciled(with: all) }
    }

    @Test func ofAnotherTransactionNothingIsTaken() throws {
        let other = try psbt([.p2wpkh])
        #expect(throws: PSBTError.otherTransaction(other.unsignedTransaction.id)) {
            try psbt().checkCoins(against: other)
        }
    }
}
