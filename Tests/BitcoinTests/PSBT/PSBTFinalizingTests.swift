import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct PSBTFinalizingTests {
    @Test(arguments: SpendingForm.allCases) func everyFormIsFinalized(form: SpendingForm) throws {
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
        #expect(try psbt.verifyFinalScripts(ofInput: 0, using: cache) == .verified)
        let again = try PSBT(serialized: psbt.serialized())
        #expect(try again.verifyFinalScripts(ofInput: 0, using: cache) == .verified)
        let transaction = try again.extractedTransaction()
        #expect(transaction.inputs[0].scriptSig == expected.scriptSig ?? Script())
        #expect(transaction.inputs[0].witness == expected.witness ?? [])
        #expect(transaction.id == psbt.unsignedTransaction.id || expected.scriptSig != nil)
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

    @Test func oneCacheServesEveryInput() throws {
        var psbt = try SpendingForm.unsignedPSBT()
        for (index, form) in SpendingForm.allCases.enumerated() {
            for key in try form.keys() { try psbt.sign(index, as: form, with: key) }
        }
        let cache = SighashCache(psbt.unsignedTransaction)
        for index in psbt.inputs.indices { try psbt.verifyPartialSignatures(ofInput: index, using: cache) }
        #expect(try psbt.finalizeInputs() == SpendingForm.allCases.map { _ in .finalized })
        #expect(psbt.isFinalized)
        for index in psbt.inputs.indices {
            #expect(try psbt.verifyFinalScripts(ofInput: index, using: cache) == .verified)
        }
    }

    @Test func everySighashTypeIsFinalized() throws {
        for type in [SighashType.all, .none, .single].flatMap({ [$0, $0.withAnyoneCanPay] }) {
            for form in [SpendingForm.p2pkh, .p2wpkh] {
                var psbt = try SpendingForm.unsignedPSBT([form, form])
                for index in psbt.inputs.indices { try psbt.sign(index, as: form, with: form.keys()[0], type) }
                #expect(try psbt.finalizeInputs() == [.finalized, .finalized])
                let cache = SighashCache(psbt.unsignedTransaction)
                #expect(try psbt.verifyFinalScripts(ofInput: 1, using: cache) == .verified)
            }
        }
    }

    @Test func unknownAndProprietaryFieldsAreKept() throws {
        var psbt = try SpendingForm.unsignedPSBT([.p2wpkh])
        let kept = [
            PSBTRecord(type: 0x99, keyData: [1], value: [2]),
            PSBTRecord(type: 0xFC, keyData: [1, 0x61, 0], value: [3]),
        ]
        let removed: [(PSBTInputType, [UInt8])] = [
            (.sighashType, [1, 0, 0, 0]), (.proofOfReservesCommitment, [0x61]), (.tapInternalKey, .zeros(32)),
        ]
        for record in kept { psbt.addToInput(record) }
        for (type, value) in removed { psbt.addToInput(PSBTRecord(type: type.rawValue, value: value[...])) }
        psbt = try PSBT(serialized: psbt.serialized())
        try psbt.sign(0, as: .p2wpkh, with: SpendingForm.p2wpkh.keys()[0])
        #expect(try psbt.finalize(input: 0) == .finalized)
        #expect(psbt.inputs[0].map.records.map(\.type) == [0x01, 0x08, 0x99, 0xFC])
        #expect(Set(kept).isSubset(of: psbt.inputs[0].map.records))
    }

    @Test func otherScriptsAreLeft() throws {
        let template = try SpendingForm.unsignedPSBT([.p2wpkh])
        let outputKey = try TaprootOutputKey(SpendingForm.p2wpkh.keys()[0].publicKey)
        let anyone = Script([0x51])
        let scripts: [(output: Script, witness: Script?)] = [(.p2tr(outputKey), nil), (.p2wsh(anyone), anyone)]
        for (output, witness) in scripts {
            var psbt = template
            psbt.inputs[0].witnessUTXO?.scriptPubKey = output
            psbt.inputs[0].witnessScript = witness
            let before = psbt.serialized()
            #expect(try psbt.finalizeInputs() == [.scriptNotSupported])
            #expect(psbt.serialized() == before)
            psbt.inputs[0].finalWitness = [witness?.bytes ?? .zeros(64)]
            let cache = SighashCache(psbt.unsignedTransaction)
            #expect(try psbt.verifyFinalScripts(ofInput: 0, using: cache) == .notExamined)
        }
    }
}

extension PSBT {
    /// Adds a record to the first input by way of the binary form.
    fileprivate mutating func addToInput(_ record: PSBTRecord) {
        var map = inputs[0].map
        map.set(record)
        var bytes: [UInt8] = []
        for record in map.records {
            bytes.appendSized([UInt8(record.type)] + record.keyData)
            bytes.appendSized(record.value)
        }
        let start = [0x70, 0x73, 0x62, 0x74, 0xFF, 1, 0] as [UInt8]
        var whole = start
        whole.appendSized(unsignedTransaction.serialized())
        whole += [0] + bytes + [0]
        for _ in outputs { whole.append(0) }
        if let psbt = try? PSBT(serialized: whole) { self = psbt } else { Issue.record("not a PSBT any more") }
    }
}
