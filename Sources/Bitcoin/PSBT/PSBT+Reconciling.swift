/// Two PSBTs of one transaction, one of which may lie.
///
/// Combining takes records that do not contradict each other by themselves; here it is looked at what they say together.
/// A signature is worth nothing when the coin that it was made for is another one, and two signatures made for
/// different lies can be worth more than either signer agreed to: each is right about its own input.
extension PSBT {
    /// Both PSBTs combined, found to say the same of every coin that is spent, and to demand the same signatures.
    /// - Throws: what `combined(with:)` and `checkCoins(against:)` throw; what `spending(ofInput:)` throws for an input that
    ///   could be spent by what one of them says, and cannot by what both say together.
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

    /// Confirms that another PSBT of the same transaction says the same of each coin that both know, and demands no other
    /// sighash type.
    /// - Throws: `PSBTError.otherTransaction`; `.input` with `.otherCoin` or `.otherDemand`.
    public func checkCoins(against other: PSBT) throws(PSBTError) {
        guard unsignedTransaction == other.unsignedTransaction else {
            throw .otherTransaction(other.unsignedTransaction.id)
        }
        for index in inputs.indices {
            // The coin by itself first: what cannot be opened for want of a script is still a coin with an amount.
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
    /// Whether signatures that one of two descriptions of an input has satisfy the other one, too. What says nothing
    /// takes signatures of any type, and those of type ALL, which every signer makes unless told otherwise, satisfy ALL.
    fileprivate func demandsTheSame(as other: Self) -> Bool {
        guard !isFinal, !other.isFinal, sighashType != other.sighashType else { return true }
        guard (sighashType ?? .all) == (other.sighashType ?? .all) else { return false }
        return (partialSignatures + other.partialSignatures).allSatisfy { $0.sighashType == .all }
    }
}
