import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct PSBTFinalizingTests {
    @Test(arguments: SpendingForm.allCases) func everyFormIsFinalized(form: SpendingForm) async throws {
        var psbt = try SpendingForm.unsignedPSBT([form])
        let needed = form.isMultisig ? 2 : 1
        #expect(try psbt.finalize(input: 0) == .signaturesMissing(present: 0, needed: needed))
        let keys = try form.keys()
        // The last key signs first: the order in the script counts, not that of signing.
        for key in form.isMultisig ? [keys[2], keys[0]] : keys { try psbt.sign(0, as: form, with: key) }
        let signatures = Dictionary(
            uniqueKeysWithValues: psbt.inputs[0].partialSignatures.map { ($0.publicKey, $0.signature) })
        #expect(signatures.count == needed)

        #expect(try psbt.finalize(input: 0) == .finalized)
        let expected = try expectedScripts(of: form, signatures: signatures)
        #expect(psbt.inputs[0].finalScriptSig == expected.scriptSig)
        #expect(psbt.inputs[0].finalWitness == expected.witness)
        #expect(psbt.inputs[0].map.records.allSatisfy { [0, 1, 7, 8].contains($0.type) })

        let cache = SighashCache(psbt.unsignedTransaction)
        try await psbt.expectVerified()
        let again = try PSBT(serialized: psbt.serialized())
        #expect(try again.verifyFinalScripts(ofInput: 0, using: cache) == .verified)
        let transaction = try again.extractedTransaction()
        #expect(transaction.inputs[0].scriptSig == expected.scriptSig ?? Script())
        #expect(transaction.inputs[0].witness == expected.witness ?? [])
        #expect(transaction.id == psbt.unsignedTransaction.id || expected.scriptSig != nil)
    }

    /// A stranger's signature is valid for his key, and none of those that are needed.
    @Test(arguments: [SpendingForm.p2pk, .p2pkh, .p2wpkh, .p2shP2WPKH, .p2wshMultisig, .bareMultisig])
    func aStrangersSignatureIsNone(_ form: SpendingForm) throws {
        var psbt = try SpendingForm.unsignedPSBT([form])
        let cache = SighashCache(psbt.unsignedTransaction)
        let digest = try psbt.spending(ofInput: 0).digest(.all, using: cache)
        let stranger = try PrivateKey(SecretBytes([UInt8](repeating: 0x77, count: 32)))
        let signature = PartialSignature(stranger.sign(digest: digest), by: stranger.publicKey)
        #expect(!psbt.isValidPartialSignature(signature, ofInput: 0, using: cache))
        psbt.addPartialSignature(signature, toInput: 0)
        #expect(throws: PSBTError.self) { try psbt.verifyPartialSignatures(ofInput: 0, using: cache) }
    }

    /// What BIP-16 and BIP-141 ask for, put together by hand.
    private func expectedScripts(
        of form: SpendingForm, signatures: [[UInt8]: [UInt8]]
    ) throws -> (scriptSig: Script?, witness: [[UInt8]]?) {
        let keys = try form.keys()
        let signature = signatures[form.encoding(keys[0])] ?? []
        let scripts = try form.scripts()
        let redeem = scripts.redeem?.bytes ?? []
        let witness = scripts.witness?.bytes ?? []
        let both = [[], signature, signatures[form.encoding(keys[form.isMultisig ? 2 : 0])] ?? []]
        let key = form.encoding(keys[0])
        return switch form {
        case .p2pk, .p2pkUncompressed: (Script(pushing: [signature]), nil)
        case .p2pkh, .p2pkhUncompressed: (Script(pushing: [signature, key]), nil)
        case .bareMultisig: (Script(pushing: both), nil)
        case .p2shP2PK: (Script(pushing: [signature, redeem]), nil)
        case .p2shP2PKH: (Script(pushing: [signature, key, redeem]), nil)
        case .p2shMultisig: (Script(pushing: both + [redeem]), nil)
        case .p2wpkh: (nil, [signature, key])
        case .p2shP2WPKH: (Script(pushing: [redeem]), [signature, key])
        case .p2wshP2PK: (nil, [signature, witness])
        case .p2wshP2PKH: (nil, [signature, key, witness])
        case .p2wshMultisig: (nil, both + [witness])
        case .p2shP2WSHP2PK: (Script(pushing: [redeem]), [signature, witness])
        case .p2shP2WSHP2PKH: (Script(pushing: [redeem]), [signature, key, witness])
        case .p2shP2WSHMultisig: (Script(pushing: [redeem]), both + [witness])
        }
    }

    @Test func oneCacheServesEveryInput() async throws {
        var psbt = try SpendingForm.unsignedPSBT()
        for (index, form) in SpendingForm.allCases.enumerated() {
            for key in try form.keys() { try psbt.sign(index, as: form, with: key) }
        }
        let cache = SighashCache(psbt.unsignedTransaction)
        for index in psbt.inputs.indices { try psbt.verifyPartialSignatures(ofInput: index, using: cache) }
        #expect(try psbt.finalizeInputs() == SpendingForm.allCases.map { _ in .finalized })
        #expect(psbt.isFinalized)
        try await psbt.expectVerified()
    }

    @Test func everySighashTypeIsFinalized() async throws {
        for type in [SighashType.all, .none, .single].flatMap({ [$0, $0.withAnyoneCanPay] }) {
            for form in [SpendingForm.p2pkh, .p2wpkh] {
                var psbt = try SpendingForm.unsignedPSBT([form, form])
                for index in psbt.inputs.indices { try psbt.sign(index, as: form, with: form.keys()[0], type) }
                #expect(try psbt.finalizeInputs() == [.finalized, .finalized])
                try await psbt.expectVerified("\(type)")
            }
        }
    }

    @Test func unknownAndProprietaryFieldsAreKept() throws {
        let internalKey = try SpendingForm.p2wpkh.keys()[0].publicKey.bytes.dropFirst()
        let known: [UInt8] = [1, 0x03, 4, 1, 0, 0, 0, 1, 0x09, 1, 0x61, 1, 0x17, 32] + internalKey
        let kept: [UInt8] = [2, 0x99, 1, 1, 2, 4, 0xFC, 1, 0x61, 0, 1, 3]
        let separators: [UInt8] = [0, 0, 0]  // behind the input and the two outputs
        let unsigned = try SpendingForm.unsignedPSBT([.p2wpkh]).serialized()
        var psbt = try PSBT(serialized: unsigned.dropLast(separators.count) + known + kept + separators)
        try psbt.sign(0, as: .p2wpkh, with: SpendingForm.p2wpkh.keys()[0])
        #expect(psbt.inputs[0].map.records.map(\.type) == [0x01, 0x02, 0x06, 0x03, 0x09, 0x17, 0x99, 0xFC])
        #expect(try psbt.finalize(input: 0) == .finalized)
        #expect(psbt.inputs[0].map.records.map(\.type) == [0x01, 0x08, 0x99, 0xFC])
        #expect(psbt.serialized().suffix(kept.count + separators.count) == (kept + separators)[...])
    }

    @Test func otherScriptsAreLeft() throws {
        let template = try SpendingForm.unsignedPSBT([.p2wpkh])
        let outputKey = try TaprootOutputKey(SpendingForm.p2wpkh.keys()[0].publicKey)
        // OP_NOP, which no template and no miniscript has.
        let anyone = Script([0x61, 0x51])
        let scripts: [(output: Script, witness: Script?)] = [(.p2tr(outputKey), nil), (.p2wsh(anyone), anyone)]
        for (output, witness) in scripts {
            var psbt = template
            psbt[input: 0].witnessUTXO?.scriptPubKey = output
            psbt[input: 0].witnessScript = witness
            let before = psbt.serialized()
            #expect(try psbt.finalizeInputs() == [.scriptNotSupported])
            #expect(psbt.serialized() == before)
            psbt[input: 0].finalWitness = [witness?.bytes ?? .zeros(64)]
            let cache = SighashCache(psbt.unsignedTransaction)
            #expect(try psbt.verifyFinalScripts(ofInput: 0, using: cache) == .notExamined)
        }
    }
}
