import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct PSBTVerificationTests {
    private func finalized(_ form: SpendingForm) throws -> PSBT {
        var psbt = try SpendingForm.unsignedPSBT([form])
        for key in try form.keys().suffix(2) { try psbt.sign(0, as: form, with: key) }
        try psbt.finalize(input: 0)
        return psbt
    }

    @Test(arguments: SpendingForm.allCases) func everyFlippedBitOfFinalScriptsIsFound(form: SpendingForm) async throws {
        let psbt = try finalized(form)
        let cache = SighashCache(psbt.unsignedTransaction)
        let scriptSig = psbt.inputs[0].finalScriptSig?.bytes ?? []
        var found = 0
        var jury = ScriptJury()
        for index in scriptSig.indices {
            var (altered, bytes) = (psbt, scriptSig)
            bytes[index] ^= 1 << UInt8(index % 8)
            altered[input: 0].finalScriptSig = Script(bytes)
            #expect(throws: PSBTError.self) { try altered.verifyFinalScripts(ofInput: 0, using: cache) }
            #expect(jury.judge(altered, input: 0, under: [.standard]) != [nil], "byte \(index)")
            found += 1
        }
        let witness = psbt.inputs[0].finalWitness ?? []
        for item in witness.indices {
            for index in witness[item].indices {
                var (altered, stack) = (psbt, witness)
                stack[item][index] ^= 1 << UInt8(index % 8)
                altered[input: 0].finalWitness = stack
                #expect(throws: PSBTError.self) { try altered.verifyFinalScripts(ofInput: 0, using: cache) }
                #expect(jury.judge(altered, input: 0, under: [.standard]) != [nil], "item \(item), byte \(index)")
                found += 1
            }
        }
        #expect(found > 70)
        try await jury.agree()
    }

    @Test(arguments: SpendingForm.allCases) func moreOrLessOnTheStackIsFound(form: SpendingForm) async throws {
        let psbt = try finalized(form)
        let cache = SighashCache(psbt.unsignedTransaction)
        var altered: [PSBT.Input] = []
        for change in 0..<4 {
            var input = psbt.inputs[0]
            let scriptSig = input.finalScriptSig?.bytes ?? []
            let witness = input.finalWitness ?? []
            switch change {
            case 0: input.finalScriptSig = Script([0] + scriptSig)
            case 1: input.finalScriptSig = Script(scriptSig.dropLast() + (scriptSig.isEmpty ? [0x51] : []))
            case 2: input.finalWitness = [[]] + witness
            default: input.finalWitness = witness.isEmpty ? [[1]] : Array(witness.dropFirst())
            }
            altered.append(input)
        }
        var jury = ScriptJury()
        for (change, input) in altered.enumerated() {
            var psbt = psbt
            psbt[input: 0] = input
            #expect(throws: PSBTError.self) { try psbt.verifyFinalScripts(ofInput: 0, using: cache) }
            #expect(jury.judge(psbt, input: 0, under: [.standard]) != [nil], "change \(change)")
        }
        try await jury.agree()
    }

    @Test(arguments: [SpendingForm.p2pkh, .p2wpkh]) func anotherKeyThanTheAddressNamesIsFound(
        form: SpendingForm
    ) async throws {
        var psbt = try finalized(form)
        let cache = SighashCache(psbt.unsignedTransaction)
        let thief = try SampleWallet(seed: 9).master.privateKey
        let digest = try psbt.spending(ofInput: 0).digest(.all, using: cache)
        let (signature, key) = (thief.sign(digest: digest).der + [1], thief.publicKey.bytes)
        if form == .p2wpkh {
            psbt[input: 0].finalWitness = [signature, key]
        } else {
            psbt[input: 0].finalScriptSig = Script(pushing: [signature, key])
        }
        #expect(throws: PSBTError.input(0, .finalScriptsDoNotSpend)) {
            try psbt.verifyFinalScripts(ofInput: 0, using: cache)
        }
        var jury = ScriptJury()
        let failures = jury.judge(psbt, input: 0, under: [[], .standard])
        #expect(!failures.contains(nil))
        try await jury.agree()
    }

    @Test func theSpentAmountIsCoveredBySegwitOnly() async throws {
        var segwit = try finalized(.p2wpkh)
        segwit[input: 0].witnessUTXO?.value += 1
        let cache = SighashCache(segwit.unsignedTransaction)
        let key = try SpendingForm.p2wpkh.keys()[0].publicKey.bytes
        #expect(throws: PSBTError.input(0, .invalidSignature(publicKey: key))) {
            try segwit.verifyFinalScripts(ofInput: 0, using: cache)
        }
        var jury = ScriptJury()
        #expect(jury.judge(segwit, input: 0, under: [[]]) == [.evaluatedFalse])
        try await jury.agree()
    }

    @Test(arguments: [SpendingForm.p2pkh, .p2wpkh, .p2shMultisig, .p2shP2WSHMultisig])
    func aWrongPartialSignatureIsFoundAndNotFinalized(form: SpendingForm) throws {
        var psbt = try SpendingForm.unsignedPSBT([form])
        for key in try form.keys() { try psbt.sign(0, as: form, with: key) }
        let key = form.encoding(try form.keys()[0])
        let other = try form.keys()[0].sign(digest: Digest(hashing: [])).der + [1]
        psbt.addPartialSignature(PartialSignature(publicKey: key, signature: other), toInput: 0)
        let before = psbt.serialized()
        let cache = SighashCache(psbt.unsignedTransaction)
        let error = PSBTError.input(0, .invalidSignature(publicKey: key))
        #expect(throws: error) { try psbt.verifyPartialSignatures(ofInput: 0, using: cache) }
        #expect(throws: error) { try psbt.finalize(input: 0) }
        #expect(psbt.serialized() == before)
    }

    @Test func highSIsRefused() throws {
        var psbt = try SpendingForm.unsignedPSBT([.p2wpkh])
        let cache = SighashCache(psbt.unsignedTransaction)
        let key = try SpendingForm.p2wpkh.keys()[0]
        let digest = try psbt.spending(ofInput: 0).digest(.all, using: cache)
        let low = key.sign(digest: digest)
        let high = try #require(ECDSASignature(compact: low.compact.prefix(32) + negated(low.compact.suffix(32))))
        psbt.addPartialSignature(PartialSignature(low, by: key.publicKey), toInput: 0)
        try psbt.verifyPartialSignatures(ofInput: 0, using: cache)
        psbt.addPartialSignature(PartialSignature(high, by: key.publicKey), toInput: 0)
        #expect(throws: PSBTError.input(0, .invalidSignature(publicKey: key.publicKey.bytes))) {
            try psbt.verifyPartialSignatures(ofInput: 0, using: cache)
        }
    }

    /// The group order minus a number of 32 bytes.
    private func negated(_ number: ArraySlice<UInt8>) throws -> [UInt8] {
        let order = try Hex.decode("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
        var borrow = 0
        return Array(
            zip(order, number).reversed().map { digit, subtracted in
                let difference = Int(digit) - Int(subtracted) - borrow
                borrow = difference < 0 ? 1 : 0
                return UInt8(truncatingIfNeeded: difference)
            }.reversed())
    }

    @Test func theDemandedSighashTypeIsDemanded() throws {
        var psbt = try SpendingForm.unsignedPSBT([.p2wpkh])
        try psbt.sign(0, as: .p2wpkh, with: SpendingForm.p2wpkh.keys()[0], .none)
        let cache = SighashCache(psbt.unsignedTransaction)
        try psbt.verifyPartialSignatures(ofInput: 0, using: cache)
        psbt[input: 0].sighashType = .all
        let error = PSBTError.input(0, .otherSighashType(.none, demanded: .all))
        #expect(throws: error) { try psbt.verifyPartialSignatures(ofInput: 0, using: cache) }
        #expect(throws: error) { try psbt.finalize(input: 0) }
    }

    @Test func strangeSighashTypesAreRefused() throws {
        let psbt = try SpendingForm.unsignedPSBT([.p2wpkh, .p2pkh, .p2pkh])
        let cache = SighashCache(psbt.unsignedTransaction)
        for index in psbt.inputs.indices {
            for type in [0, 4, 0x80, 0x84, 0x100, 0x101].map({ SighashType(rawValue: $0) }) {
                #expect(throws: PSBTError.input(index, .sighashTypeNotStandard(type))) {
                    try psbt.spending(ofInput: index).digest(type, using: cache)
                }
            }
        }
        // Two outputs for three inputs: the digest of the third would be the number 1.
        _ = try psbt.spending(ofInput: 1).digest(.single, using: cache)
        for type in [SighashType.single, .single.withAnyoneCanPay] {
            #expect(throws: PSBTError.input(2, .noOutputForSingle)) {
                try psbt.spending(ofInput: 2).digest(type, using: cache)
            }
        }
    }

    @Test func uncompressedKeysAreRefusedInWitnesses() throws {
        var psbt = try SpendingForm.unsignedPSBT([.p2wpkh])
        let key = try SpendingForm.p2wpkh.keys()[0]
        let uncompressed = key.publicKey.uncompressedBytes
        psbt[input: 0].witnessUTXO?.scriptPubKey = try #require(.p2wpkh(keyHash: Hash160.hash(uncompressed)))
        let cache = SighashCache(psbt.unsignedTransaction)
        let digest = try psbt.spending(ofInput: 0).digest(.all, using: cache)
        psbt.addPartialSignature(
            PartialSignature(publicKey: uncompressed, signature: key.sign(digest: digest).der + [1]), toInput: 0)
        #expect(throws: PSBTError.input(0, .invalidSignature(publicKey: uncompressed))) {
            try psbt.finalize(input: 0)
        }
    }

    @Test func taprootHasNoDigestForECDSA() throws {
        var psbt = try SpendingForm.unsignedPSBT([.p2wpkh])
        psbt[input: 0].witnessUTXO?.scriptPubKey = .p2tr(
            try TaprootOutputKey(SpendingForm.p2wpkh.keys()[0].publicKey))
        let spending = try psbt.spending(ofInput: 0)
        #expect(throws: PSBTError.input(0, .notECDSA)) {
            try spending.digest(.all, using: SighashCache(psbt.unsignedTransaction))
        }
    }

    @Test func notFinalIsNotVerified() throws {
        let psbt = try SpendingForm.unsignedPSBT([.p2wpkh])
        #expect(throws: PSBTError.input(0, .notFinal)) {
            try psbt.verifyFinalScripts(ofInput: 0, using: SighashCache(psbt.unsignedTransaction))
        }
    }
}
