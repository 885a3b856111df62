import Bitcoin

/// Proves that a path's locks are in the scripts: that a transaction was refused one block earlier says nothing, as its
/// own lock time and sequence numbers are for the block in which the path opens.
extension Rehearsal {
    /// A transaction that spends the coins, and what it was made from.
    struct Spend {
        /// Without signatures.
        let psbt: PSBT
        /// With all of them.
        let signed: PSBT
        /// With its witnesses.
        let transaction: Transaction
    }

    /// A kind of lock that a path can have.
    enum Lock: CaseIterable {
        /// How old the coin must be (BIP-112).
        case older
        /// What must have passed (BIP-65).
        case after

        /// The longest one of a path; `nil`: it has none.
        func longest(of terms: SpendingTerms) -> UInt32? {
            switch self {
            case .older: terms.older.max { TimeLock.count($0) < TimeLock.count($1) }
            case .after: terms.after.max()
            }
        }
    }

    /// Confirms that every script of a transaction demands each lock of its path: with a lock that is one less, signed
    /// by the same keys, every input fails, and because of the lock.
    /// - Returns: whether each lock was tried: backups do not sign for it when they open another path without it.
    /// - Throws: `RehearsalError.notLocked`; why it cannot be signed.
    @discardableResult func requireLocks(
        of path: KitPath, _ spend: Spend, by signers: Set<KeySeat>, spending funds: Funds
    ) throws -> Bool {
        let chain = PretendChain(funds.coins.mapValues(\.output))
        var areTried = true
        for lock in Lock.allCases where lock.longest(of: path.terms) != nil {
            guard let hasty = try hasty(lock, of: path, spend, by: signers, spending: funds) else {
                areTried = false
                continue
            }
            guard let failures = chain.scriptFailures(of: hasty),
                failures.allSatisfy({ $0 == .lockTimeNotReached })
            else { throw RehearsalError.notLocked(path: path.number) }
        }
        return areTried
    }

    /// The transaction with one of the path's locks one less, signed again; `nil` if the path has no such
    /// lock, or if the backups do not sign for it so.
    func hasty(
        _ lock: Lock, of path: KitPath, _ spend: Spend, by signers: Set<KeySeat>, spending funds: Funds
    ) throws -> Transaction? {
        guard let needed = lock.longest(of: path.terms), needed > 0 else { return nil }
        var unsigned = spend.psbt.unsignedTransaction
        switch lock {
        case .older: for index in unsigned.inputs.indices { unsigned.inputs[index].sequence = needed - 1 }
        case .after: unsigned.lockTime = needed - 1
        }
        let known = try spend.psbt.converted(to: .v0)
        var psbt = try PSBT(unsignedTransaction: unsigned)
        for index in known.inputs.indices { psbt[input: index] = known.inputs[index] }
        for index in known.outputs.indices { psbt[output: index] = known.outputs[index] }
        let signed = try sign(psbt, by: signers) { funds.coins[$0]?.place }
        var hasty = spend.transaction
        hasty.lockTime = unsigned.lockTime
        for index in hasty.inputs.indices {
            hasty.inputs[index].sequence = unsigned.inputs[index].sequence
            let own = Self.signatures(of: signed.inputs[index])
            for (key, old) in Self.signatures(of: spend.signed.inputs[index]) {
                // A signer with keys of a path that is open signs for that one only: nothing accuses the wallet then.
                guard let new = own[key] else { return nil }
                hasty.inputs[index].witness = hasty.inputs[index].witness.map { $0 == old ? new : $0 }
            }
        }
        return hasty
    }

    /// The signatures of an input by the encodings of their keys.
    private static func signatures(of input: PSBT.Input) -> [[UInt8]: [UInt8]] {
        Dictionary(input.partialSignatures.map { ($0.publicKey, $0.signature) }, uniquingKeysWith: { $1 })
    }
}
