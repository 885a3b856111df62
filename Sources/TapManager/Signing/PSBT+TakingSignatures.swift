import Bitcoin

extension PSBT {
    /// This PSBT with those partial signatures of another one, for the same transaction, that are valid for this one's
    /// inputs. Others are left out: what was stored cannot spoil what was given.
    /// - Parameter other: for the same unsigned transaction; from any other, nothing is taken.
    package func takingSignatures(of other: PSBT) -> PSBT {
        takingSignatures(of: other) { _ in { _ in true } }
    }

    /// The same, with only those signatures that this PSBT asks a signer for: by keys that its inputs list with the
    /// signer's fingerprint.
    /// - Parameter fingerprint: the signer's.
    package func takingSignatures(of other: PSBT, askedOf fingerprint: Fingerprint) -> PSBT {
        takingSignatures(of: other) { input in
            let asked = Set(input.derivations.filter { $0.fingerprint == fingerprint }.map(\.publicKey))
            return { asked.contains($0) }
        }
    }

    private func takingSignatures(
        of other: PSBT, wantedIn wanted: (PSBT.Input) -> (_ publicKey: [UInt8]) -> Bool
    ) -> PSBT {
        guard unsignedTransaction == other.unsignedTransaction else { return self }
        var result = self
        let digests = SighashCache(unsignedTransaction)
        for index in inputs.indices where !inputs[index].isFinal {
            let signers = Set(inputs[index].partialSignatures.map(\.publicKey))
            let isWanted = wanted(inputs[index])
            let candidates = other.inputs[index].partialSignatures.filter {
                !signers.contains($0.publicKey) && isWanted($0.publicKey)
            }
            let valid = validPartialSignatures(candidates, ofInput: index, using: digests)
            if !valid.isEmpty { result.addPartialSignatures(valid, toInput: index) }
        }
        return result
    }

    /// Whether this PSBT has every partial signature of another one for the same transaction, or its input is final
    /// here.
    package func hasSignatures(of other: PSBT) -> Bool {
        guard unsignedTransaction == other.unsignedTransaction else { return false }
        return zip(inputs, other.inputs).allSatisfy { mine, theirs in
            let signers = Set(mine.partialSignatures.map(\.publicKey))
            return mine.isFinal || theirs.partialSignatures.allSatisfy { signers.contains($0.publicKey) }
        }
    }
}
