extension PSBT {
    /// Adds a signature to an input, or replaces the one by the same key, and clears the modifiable flags of a version 2
    /// PSBT that the signature rules out.
    /// - Parameters:
    ///   - signature: verified by the caller.
    ///   - index: the index of an input, as for `inputs[index]`.
    ///
    /// Spec: BIP-174 and BIP-370, "Signer".
    public mutating func addPartialSignature(_ signature: PartialSignature, toInput index: Int) {
        addPartialSignatures([signature], toInput: index)
    }

    /// The same for many signatures; of several by one key the last wins. Linear time, apart from sorting.
    public mutating func addPartialSignatures(_ signatures: [PartialSignature], toInput index: Int) {
        inputs[index].addPartialSignatures(signatures)
        guard version == .v2 else { return }
        let flags = modifiableFlags ?? []
        let types = Set(signatures.compactMap(\.sighashType))
        let left = types.reduce(flags) { $0.signed($1) }
        if left != flags { modifiableFlags = left }
    }

    /// The sighash types of an input's signatures, partial or final, ECDSA or Schnorr. They are not verified. Those in the
    /// final witness of a taproot script path are not found.
    /// - Throws: `PSBTError.noSuchInput`.
    public func sighashTypes(ofInput index: Int) throws(PSBTError) -> Set<SighashType> {
        guard inputs.indices.contains(index) else { throw .noSuchInput(index) }
        let input = inputs[index]
        var types = input.map.records.compactMap { record in
            switch PSBTInputType(rawValue: record.type) {
            case .partialSignature: SighashType(ofECDSASignature: record.value)
            case .tapKeySignature, .tapScriptSignature: SighashType(ofSchnorrSignature: record.value)
            default: nil
            }
        }
        let witness = (input.finalWitness ?? []).map { $0[...] }
        let pushes = input.finalScriptSig?.elements?.compactMap(\.data) ?? []
        types += (pushes + witness).compactMap { SighashType(ofECDSASignature: $0) }
        if witness.count == 1, let output = try? spentOutput(ofInput: index),
            case .p2tr = ScriptTemplate(output.scriptPubKey)
        {
            types += witness.compactMap { SighashType(ofSchnorrSignature: $0) }
        }
        return Set(types)
    }
}

extension SighashType {
    /// The type after a DER signature; `nil` when there is none.
    fileprivate init?(ofECDSASignature signature: ArraySlice<UInt8>) {
        guard let byte = signature.last, ECDSASignature(der: signature.dropLast()) != nil else { return nil }
        self.init(rawValue: UInt32(byte))
    }

    /// The type after a Schnorr signature, or ALL when there is no type, which means the same; `nil` if it is not one.
    ///
    /// Spec: BIP-341, "Common signature message".
    fileprivate init?(ofSchnorrSignature signature: ArraySlice<UInt8>) {
        guard signature.count == 64 || signature.count == 65 else { return nil }
        self = signature.count == 64 ? .all : SighashType(rawValue: UInt32(signature.last ?? 0))
    }
}
