import Bitcoin

extension PSBT {
    /// This PSBT with the partial signatures of another one of the same transaction that verify under what this one says
    /// of its inputs. Others are left out: what was stored cannot spoil what was given.
    /// - Parameter other: of the same unsigned transaction; of another, nothing is taken.
    public func takingSignatures(of other: PSBT) -> PSBT {
        takingSignatures(of: other) { _, _ in true }
    }

    /// The same with no signatures but those that this PSBT asks a signer for: by keys that stand beside the signer's
    /// fingerprint in the input.
    /// - Parameter fingerprint: the signer's.
    public func takingSignatures(of other: PSBT, askedOf fingerprint: Fingerprint) -> PSBT {
        takingSignatures(of: other) { input, publicKey in
            input.derivations.contains { $0.fingerprint == fingerprint && $0.publicKey == publicKey }
        }
    }

    private func takingSignatures(of other: PSBT, where isWanted: (PSBT.Input, [UInt8]) -> Bool) -> PSBT {
        guard unsignedTransaction == other.unsignedTransaction else { return self }
        var result = self
        let digests = SighashCache(unsignedTransaction)
        for index in inputs.indices where !inputs[index].isFinal {
            let signers = Set(inputs[index].partialSignatures.map(\.publicKey))
            for (publicKey, signature) in other.inputs[index].partialSignatures where !signers.contains(publicKey) {
                guard isWanted(inputs[index], publicKey) else { continue }
                guard isValidPartialSignature(signature, publicKey: publicKey, ofInput: index, using: digests) else {
                    continue
                }
                result.addPartialSignature(signature, publicKey: publicKey, toInput: index)
            }
        }
        return result
    }

    /// Whether every partial signature of another PSBT of the same transaction is in this one, or its input is final here.
    public func hasSignatures(of other: PSBT) -> Bool {
        guard unsignedTransaction == other.unsignedTransaction else { return false }
        return zip(inputs, other.inputs).allSatisfy { mine, theirs in
            let signers = Set(mine.partialSignatures.map(\.publicKey))
            return mine.isFinal || theirs.partialSignatures.allSatisfy { signers.contains($0.publicKey) }
        }
    }
}
