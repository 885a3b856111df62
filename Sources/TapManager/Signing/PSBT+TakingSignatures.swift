import Bitcoin

extension PSBT {
    /// This PSBT with those partial signatures of another one, for the same transaction, that are valid for this one's
    /// inputs. Others are left out: what was stored cannot spoil what was given. A script that an input's signature needs and
    /// only the other one has comes with it.
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
            guard !candidates.isEmpty else { continue }
            result.takeMissingScripts(ofInput: index, from: other.inputs[index])
            let valid = result.validPartialSignatures(candidates, ofInput: index, using: digests)
            if valid.isEmpty {
                result[input: index] = inputs[index]
            } else {
                result.addPartialSignatures(valid, toInput: index)
            }
        }
        return result
    }

    /// Takes the scripts that an input leaves out and needs from another one for the same coin. The coin has their hashes,
    /// so that false ones make nothing valid.
    private mutating func takeMissingScripts(ofInput index: Int, from other: PSBT.Input) {
        guard (try? spending(ofInput: index)) == nil else { return }
        if inputs[index].redeemScript == nil { self[input: index].redeemScript = other.redeemScript }
        if inputs[index].witnessScript == nil { self[input: index].witnessScript = other.witnessScript }
    }

    /// Takes over what another PSBT says about keys that have signed it: what comes later must not take that back.
    mutating func takeClaims(ofSignersIn other: PSBT) {
        for (index, input) in other.inputs.enumerated() {
            let signers = Set(input.partialSignatures.map(\.publicKey))
            for derivation in input.derivations where signers.contains(derivation.publicKey) {
                self[input: index].addDerivation(derivation)
            }
        }
    }

    /// What a stored PSBT of the same transaction says about keys that have signed this one or that one, and this one leaves
    /// out, by input. Otherwise somebody could have a transaction signed in two parts, each of which does not say whose the
    /// coins of the other one are. A final input does not say whose signatures it has: all keys of its script count.
    func earlierClaims(of stored: PSBT) -> [Int: EarlierClaims] {
        guard unsignedTransaction == stored.unsignedTransaction else { return [:] }
        var result: [Int: EarlierClaims] = [:]
        for (index, (input, earlier)) in zip(inputs, stored.inputs).enumerated() {
            let signers = Set((input.partialSignatures + earlier.partialSignatures).map(\.publicKey))
            let isFinal = input.isFinal || earlier.isFinal
            guard isFinal || !signers.isEmpty else { continue }
            let given = Set(input.derivations)
            let others = earlier.derivations.filter {
                !given.contains($0) && (isFinal || signers.contains($0.publicKey))
            }
            guard !others.isEmpty, let script = script(ofInput: index, alsoIn: stored), script.signatureRules != .other
            else { continue }
            let named = others.filter { script.names(publicKey: $0.publicKey) }
            if !named.isEmpty { result[index] = EarlierClaims(derivations: named, script: script) }
        }
        return result
    }

    /// The script that an input executes. Final inputs often lack what is hashed in the spent output.
    private func script(ofInput index: Int, alsoIn stored: PSBT) -> SpendingScript? {
        if let spending = try? spending(ofInput: index) { return spending.script }
        guard let spending = try? stored.spending(ofInput: index), spending.output == (try? spentOutput(ofInput: index))
        else { return nil }
        return spending.script
    }

    /// Those of some signatures, by input, that this PSBT has as they are.
    func signatures(among candidates: [Int: [PartialSignature]]) -> [Int: [PartialSignature]] {
        var result: [Int: [PartialSignature]] = [:]
        for (index, signatures) in candidates where inputs.indices.contains(index) {
            let own = Set(inputs[index].partialSignatures)
            let present = signatures.filter(own.contains)
            if !present.isEmpty { result[index] = present }
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

/// What the stored PSBT of a transaction says about an input's keys that have signed, and the PSBT to sign leaves out.
struct EarlierClaims: Sendable {
    /// Anyone can have written them: only those that the signer's keys prove count, and the others do no harm.
    let derivations: [KeyDerivation]
    /// The script that the input executes. It names their keys.
    let script: SpendingScript
}
