/// Two PSBTs of one transaction, one of which may contain false claims.
///
/// Combining accepts records that do not contradict each other one by one; this also checks what they say together. A
/// signature is worthless if it was made for a different coin. And two signatures made for different false claims can
/// be worth more than either signer agreed to: each is right only about its own input.
extension PSBT {
    /// Both PSBTs combined, after checking that they agree on every spent coin and demand the same signatures.
    /// - Throws: what `combined(with:)` and `checkCoins(against:)` throw; what `spending(ofInput:)` throws for an input
    ///   that one of them alone could spend, but both together cannot.
    public func reconciled(with other: PSBT) throws(PSBTError) -> PSBT {
        let combined = try combined(with: other)
        try checkCoins(against: other)
        for index in combined.inputs.indices {
            do throws(PSBTError) { _ = try combined.spending(ofInput: index) } catch {
                let isKnown = (try? spending(ofInput: index)) != nil || (try? other.spending(ofInput: index)) != nil
                if isKnown { throw error }
            }
        }
        return combined
    }

    /// Checks that another PSBT of the same transaction agrees on each coin that both know, and demands no other sighash
    /// type.
    /// - Throws: `PSBTError.otherTransaction`; `.input` with `.otherCoin` or `.otherDemand`.
    public func checkCoins(against other: PSBT) throws(PSBTError) {
        guard unsignedTransaction == other.unsignedTransaction else {
            throw .otherTransaction(other.unsignedTransaction.id)
        }
        for index in inputs.indices {
            // First the coin itself: without its script it cannot be spent, but it still has an amount.
            if let mine = try? spentOutput(ofInput: index), let theirs = try? other.spentOutput(ofInput: index) {
                guard mine == theirs else { throw .input(index, .otherCoin) }
            }
            if let mine = try? spending(ofInput: index), let theirs = try? other.spending(ofInput: index) {
                guard mine == theirs else { throw .input(index, .otherCoin) }
            }
            guard inputs[index].demandsTheSame(as: other.inputs[index]) else { throw .input(index, .otherDemand) }
        }
    }
}

extension PSBT.Input {
    /// Whether signatures for one of two descriptions of an input also satisfy the other. A description without a type
    /// accepts signatures of any type; those of type ALL, which every signer makes by default, satisfy ALL.
    fileprivate func demandsTheSame(as other: Self) -> Bool {
        guard !isFinal, !other.isFinal, sighashType != other.sighashType else { return true }
        guard (sighashType ?? .all) == (other.sighashType ?? .all) else { return false }
        return (partialSignatures + other.partialSignatures).allSatisfy { $0.sighashType == .all }
    }
}
