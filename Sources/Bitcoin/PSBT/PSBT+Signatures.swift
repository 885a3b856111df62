extension PSBT {
    /// Adds a signature to an input, or replaces the one of the same key, and sets the modifiable flags of a PSBT of
    /// version 2 to what the signature leaves of them.
    /// - Parameters:
    ///   - signature: verified by the caller.
    ///   - index: the number of an input, as for `inputs[index]`.
    ///
    /// Spec: BIP-174 and BIP-370, "Signer".
    public mutating func addPartialSignature(_ signature: PartialSignature, toInput index: Int) {
        addPartialSignatures([signature], toInput: index)
    }

    /// The same with many signatures, the last one of those by one key; in time linear in their number, but for sorting them.
    public mutating func addPartialSignatures(_ signatures: [PartialSignature], toInput index: Int) {
        inputs[index].addPartialSignatures(signatures)
        guard version == .v2 else { return }
        let flags = modifiableFlags ?? []
        let types = Set(signatures.compactMap(\.sighashType))
        let left = types.reduce(flags) { $0.signed($1) }
        if left != flags { modifiableFlags = left }
    }

    /// The sighash types of the signatures that an input has, partial or final, ECDSA or Schnorr. They are not known to
    /// verify. Those in the final witness of a taproot script path are not found.
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
    /// The type behind a DER signature; `nil` when there is none.
    fileprivate init?(ofECDSASignature signature: ArraySlice<UInt8>) {
        guard let byte = signature.last, ECDSASignature(der: signature.dropLast()) != nil else { return nil }
        self.init(rawValue: UInt32(byte))
    }

    /// The type behind a Schnorr signature, or ALL, whose meaning one without a type has; `nil` when it is none.
    ///
    /// Spec: BIP-341, "Common signature message".
    fileprivate init?(ofSchnorrSignature signature: ArraySlice<UInt8>) {
        guard signature.count == 64 || signature.count == 65 else { return nil }
        self = signature.count == 64 ? .all : SighashType(rawValue: UInt32(signature.last ?? 0))
    }
}
