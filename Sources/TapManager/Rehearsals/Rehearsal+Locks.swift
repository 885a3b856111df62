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
    /// - Throws: `RehearsalError.notLocked`; why it cannot be signed.
    func requireLocks(of path: KitPath, _ spend: Spend, spending funds: Funds) throws {
        let chain = PretendChain(funds.coins.mapValues(\.output))
        for lock in Lock.allCases {
            guard let hasty = try hasty(lock, of: path, spend) else { continue }
            guard let failures = chain.scriptFailures(of: hasty),
                failures.allSatisfy({ $0 == .lockTimeNotReached })
            else { throw RehearsalError.notLocked(path: path.number) }
        }
    }

    /// The transaction with one of the path's locks one less, signed again; `nil` if the path has no such lock.
    ///
    /// It is signed without a plan: of two paths that one key opens, a plan takes the one that is open without the lock.
    func hasty(_ lock: Lock, of path: KitPath, _ spend: Spend) throws -> Transaction? {
        guard let needed = lock.longest(of: path.terms), needed > 0 else { return nil }
        var hasty = spend.transaction
        switch lock {
        case .older: for index in hasty.inputs.indices { hasty.inputs[index].sequence = needed - 1 }
        case .after: hasty.lockTime = needed - 1
        }
        return try holders.signedAgain(spend, as: hasty)
    }
}
