import Bitcoin
import TestSupport
import Testing

@Suite struct ModifiableFlagsTests {
    private static let types = [SighashType.all, .none, .single].flatMap { [$0, $0.withAnyoneCanPay] }

    /// A P2WPKH input to be signed, in version 2.
    private static func psbt(_ flags: UInt8?, inputs count: Int = 2) throws -> PSBT {
        let psbt = try SpendingForm.unsignedPSBT([SpendingForm](repeating: .p2wpkh, count: count)).converted(to: .v2)
        guard let flags else { return psbt }
        let bytes = psbt.serialized()
        // In front of the version, which ends the global map.
        let place = try #require(bytes.firstRange(of: [1, 0xFB, 4, 2, 0, 0, 0] as [UInt8]))
        let field: [UInt8] = [1, 0x06, 1, flags]
        return try PSBT(serialized: Array(bytes[..<place.lowerBound]) + field + Array(bytes[place.lowerBound...]))
    }

    @Test func rowsHaveTheirFlags() throws {
        for (name, flags): (String, UInt8?) in [
            ("required-fields-only", nil), ("modifiable-inputs", 1), ("modifiable-outputs", 2),
            ("modifiable-sighash-single", 4), ("modifiable-undefined-bit-3", 8), ("modifiable-inputs-outputs", 3),
            ("modifiable-inputs-single", 5), ("modifiable-outputs-single", 6), ("modifiable-all-defined", 7),
            ("modifiable-ff", 255),
        ] {
            #expect(try PSBTVectors.version2(name).modifiableFlags?.rawValue == flags, "\(name)")
        }
        #expect(try PSBTVectors.psbt("signer-1").modifiableFlags == nil)
    }

    /// BIP-370, "Signer", by its words, for every byte.
    @Test(arguments: types) func aSignatureSetsThem(type: SighashType) throws {
        let key = try SpendingForm.p2wpkh.keys()[0]
        let unsigned = try Self.psbt(0)
        let digest = try unsigned.spending(ofInput: 1).digest(type, using: SighashCache(unsigned.unsignedTransaction))
        let signature = key.sign(digest: digest).der + [try #require(type.byte)]
        for byte in UInt8.min ... .max {
            var psbt = try Self.psbt(byte)
            psbt.addPartialSignature(PartialSignature(publicKey: key.publicKey.bytes, signature: signature), toInput: 1)
            var expected = byte
            if type.rawValue < 0x80 { expected &= 0b1111_1110 }
            if type.rawValue & 0x7F != 2 { expected &= 0b1111_1101 }
            if type.rawValue & 0x7F == 3 { expected |= 0b0000_0100 }
            #expect(psbt.modifiableFlags?.rawValue == expected)
            #expect(try PSBT(serialized: psbt.serialized()).modifiableFlags?.rawValue == expected)
            #expect(psbt.inputs[1].partialSignatures.map(\.signature) == [signature])
            #expect(psbt.inputs[0].partialSignatures.isEmpty)
        }
        var silent = try Self.psbt(nil)
        silent.addPartialSignature(PartialSignature(publicKey: key.publicKey.bytes, signature: signature), toInput: 1)
        #expect(silent.modifiableFlags?.rawValue == (type.rawValue & 0x7F == 3 ? 4 : nil))
        var version0 = try silent.converted(to: .v0)
        version0.addPartialSignature(PartialSignature(publicKey: key.publicKey.bytes, signature: signature), toInput: 0)
        #expect(version0.modifiableFlags == nil)
        #expect(try PSBT(serialized: version0.serialized()).version == .v0)
    }

    @Test(arguments: types) func whatASignatureCoversIsContradicted(type: SighashType) {
        let all = ModifiableFlags(rawValue: 0xFF)
        var covered: ModifiableFlags = type.isAnyoneCanPay ? [] : [.inputs]
        if type.outputs != .none { covered.insert(.outputs) }
        #expect(all.contradicted(by: type) == covered)
        #expect(ModifiableFlags.inputs.contradicted(by: type) == covered.intersection([.inputs]))
        #expect(ModifiableFlags(rawValue: 0xFC).contradicted(by: type).isEmpty)
    }

    @Test func combiningKeepsWhatBothPermit() throws {
        for one in UInt8.min ... .max where one & 0x30 == 0 {
            for other: UInt8 in [0, 1, 2, 3, 4, 7, 8, 0x80, 0xFF] {
                let combined = try Self.psbt(one).combined(with: try Self.psbt(other))
                #expect(combined.modifiableFlags?.rawValue == (one & other & 3) | ((one | other) & ~3))
                #expect(combined.serialized() == (try Self.psbt(other).combined(with: try Self.psbt(one)).serialized()))
            }
            // Without the field, and in version 0, nothing is permitted.
            let unsaid = try Self.psbt(nil)
            for other in [unsaid, try unsaid.converted(to: .v0)] {
                #expect(try Self.psbt(one).combined(with: other).modifiableFlags?.rawValue == one & ~3)
            }
            #expect(try unsaid.combined(with: try Self.psbt(one)).modifiableFlags?.rawValue == one & ~3)
            #expect(try unsaid.converted(to: .v0).combined(with: try Self.psbt(one)).modifiableFlags == nil)
        }
    }

    @Test(arguments: SpendingForm.allCases) func theTypesOfSignaturesAreFound(form: SpendingForm) throws {
        var psbt = try SpendingForm.unsignedPSBT([form, .p2wpkh])
        #expect(try psbt.sighashTypes(ofInput: 0).isEmpty)
        let types = [SighashType.single.withAnyoneCanPay, .none]
        let keys = try form.keys().prefix(2)
        for (key, type) in zip(keys, types) { try psbt.sign(0, as: form, with: key, type) }
        #expect(try psbt.sighashTypes(ofInput: 0) == Set(types.prefix(keys.count)))
        #expect(try psbt.sighashTypes(ofInput: 1).isEmpty)
        #expect(try psbt.finalize(input: 0) == .finalized)
        #expect(try psbt.sighashTypes(ofInput: 0) == Set(types.prefix(keys.count)))
        #expect(throws: PSBTError.noSuchInput(2)) { try psbt.sighashTypes(ofInput: 2) }
    }

    @Test func theTypesOfSchnorrSignaturesAreFound() throws {
        for name in ["key-path-input-signed", "script-path-input-signed"] {
            let row = try #require(PSBTVectors.taprootRows.get().first { $0["name"] == name })
            #expect(try row.psbt().sighashTypes(ofInput: 0) == [.all], "\(name)")
        }
        let row = try #require(PSBTVectors.taprootRows.get().first { $0["name"] == "key-path-input" })
        var psbt = try row.psbt()
        #expect(try psbt.sighashTypes(ofInput: 0).isEmpty)
        psbt[input: 0].finalWitness = [[UInt8](repeating: 1, count: 64)]
        #expect(try psbt.sighashTypes(ofInput: 0) == [.all])
        psbt[input: 0].finalWitness = [[UInt8](repeating: 1, count: 64) + [0x83]]
        #expect(try psbt.sighashTypes(ofInput: 0) == [.single.withAnyoneCanPay])
    }
}
