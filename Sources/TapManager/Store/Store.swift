import Bitcoin
import TapProtocol

/// The local store: cards, transactions, the journal of flows, encrypted backups, wallets, labels.
///
/// Every call that returns without an error is durable: its changes survive a crash or power failure. Calls block while
/// writing to disk. Several processes may use one store at once; each call is atomic. Contains no secrets.
package protocol Store: Sendable {
    // MARK: Cards

    /// What is remembered about a card; `nil` if it was never seen.
    func card(_ ident: CardIdent) throws(StoreError) -> CardRecord?
    /// All cards, most recently seen first.
    func cards() throws(StoreError) -> [CardRecord]
    /// Remembers a card. A record without a fingerprint, name or higher version does not erase a stored one.
    func save(_ card: CardRecord) throws(StoreError)
    /// Names a card; `nil` removes its name.
    /// - Returns: whether the card is remembered; if not, nothing changes.
    func name(_ card: CardIdent, _ name: String?) throws(StoreError) -> Bool
    /// The extended key that a card has proven at a path; `nil` if none.
    func provenAccount(of cardKey: PublicKey, at path: DerivationPath) throws(StoreError) -> ProvenAccount?
    /// Every extended key that a card has proven, by path.
    func provenAccounts(of cardKey: PublicKey) throws(StoreError) -> [ProvenAccount]
    /// Remembers an extended key that a card has proven.
    func save(_ account: ProvenAccount) throws(StoreError)
    /// Deletes what is remembered about a card, including its proven accounts, but not its backups, transactions and
    /// unfinished flows.
    /// - Returns: whether there was anything.
    func forgetCard(_ ident: CardIdent) throws(StoreError) -> Bool

    // MARK: Transactions

    /// A stored transaction with every signature; `nil` if there is none.
    func transaction(_ id: TransactionID) throws(StoreError) -> StoredTransaction?
    /// The newest transactions by the time of creation, newest first.
    /// - Parameters:
    ///   - limit: how many at most.
    ///   - offset: how many of the newest to skip.
    func transactions(limit: Int, offset: Int) throws(StoreError) -> [TransactionSummary]
    /// How many transactions there are.
    func transactionCount() throws(StoreError) -> Int
    /// Ids that begin with these hexadecimal digits as people see them, at most two, so that the beginning can identify
    /// one.
    func transactionIDs(startingWith prefix: String) throws(StoreError) -> [TransactionID]
    /// Reads a transaction, changes it and writes it, with no other process in between.
    /// - Parameter change: given the stored transaction, or `nil`; returns what to store. Its signatures are then those
    ///   in the returned PSBT. Must not use the store itself.
    /// - Returns: what `change` returned.
    /// - Throws: what `change` throws, with nothing changed; `.contradiction` if it returns a different transaction.
    func updateTransaction(
        _ id: TransactionID, _ change: (StoredTransaction?) throws(StoreError) -> StoredTransaction
    ) throws(StoreError) -> StoredTransaction
    /// Adds one signature to a stored transaction. The cost does not depend on the PSBT's size.
    /// - Throws: `.noSuchTransaction`.
    func add(_ signature: StoredSignature, to id: TransactionID, at time: UnixTime) throws(StoreError)
    /// The signatures of a stored transaction that were added one by one, as cards made them for this store, by input;
    /// without those that came with a PSBT.
    func signaturesMadeHere(for id: TransactionID) throws(StoreError) -> [Int: [PartialSignature]]
    /// Stores a transaction that is not stored yet, with no other process in between, unless another stored one spends
    /// one of its coins.
    /// - Parameter replaced: a transaction that this one replaces; deleted unless a chain server was given it, which may
    ///   still send it on, whatever it answered. Its coins, and those of others that share a coin with it, may be spent.
    /// - Throws: `.coinsTaken` with the coins and the transactions that spend them; nothing is changed then. Does not
    ///   include coins that `takenCoins` counts as free.
    func create(_ transaction: StoredTransaction, replacing replaced: TransactionID?) throws(StoreError)
    /// The coins that stored transactions spend, each with the newest of the transactions that do; without those of a
    /// transaction whose replacement is deep in the chain, unless another stored one spends them.
    func takenCoins() throws(StoreError) -> [Outpoint: TransactionID]
    /// The coins that stored transactions spend, each with all of the transactions that do.
    func spenders() throws(StoreError) -> [Outpoint: Set<TransactionID>]
    /// Records the transactions' state in the chain, all at once; those that are no longer stored are skipped.
    /// Signatures do not change.
    /// - Parameters:
    ///   - standings: by transaction; `nil`: not in the chain.
    ///   - time: when a confirmed one counts as given to a server, as by `noteSeen(_:at:)`.
    func note(_ standings: [TransactionID: ChainStanding?], at time: UnixTime) throws(StoreError)
    /// Records that a server reports transactions, so that it was given them, by whichever program. This does not make them
    /// sent: a server can lie, and the next one then puts the state right. Those that are no longer stored are skipped.
    /// - Parameter time: when each counts as given to a server, unless it was sent or given to one before.
    func noteSeen(_ ids: Set<TransactionID>, at time: UnixTime) throws(StoreError)
    /// Deletes a transaction and its signatures, which frees its coins.
    /// - Returns: whether there was one.
    func deleteTransaction(_ id: TransactionID) throws(StoreError) -> Bool

    // MARK: The journal of flows

    /// A card's unfinished flows, most recently started first. An entry that no flow can have written is left out, so
    /// that it prevents no flow from running: all of them work without the journal, and ask the card.
    func flows(of card: CardIdent) throws(StoreError) -> [FlowEntry]
    /// All unfinished flows, most recently started first.
    func flows() throws(StoreError) -> [FlowEntry]
    /// Records the progress of a card's flow of this kind. A card has at most one flow of each kind.
    func record(_ state: FlowState, of card: CardIdent, at time: UnixTime) throws(StoreError)
    /// Removes a flow: it is finished, or nothing of it was done.
    func finish(_ kind: FlowKind, of card: CardIdent) throws(StoreError)

    // MARK: Backups

    /// Stores an encrypted backup; the same ciphertext of the same card only once.
    func save(_ backup: StoredBackup) throws(StoreError)
    /// A card's backups, newest first.
    func backups(of card: CardIdent) throws(StoreError) -> [StoredBackup]

    // MARK: Wallets and labels

    /// All wallets, by name.
    func wallets() throws(StoreError) -> [StoredWallet]
    /// Adds a wallet, or replaces the one of the same name.
    func save(_ wallet: StoredWallet) throws(StoreError)
    /// Adds a wallet.
    /// - Throws: `.walletExists` if the name is taken.
    func add(_ wallet: StoredWallet) throws(StoreError)
    /// Adds a card's registration to a wallet, or replaces the one by the same account.
    /// - Throws: `.noSuchWallet` if the wallet was removed in the meantime, or is a different one of the same name.
    func add(_ registration: StoredRegistration, to wallet: StoredWallet) throws(StoreError)
    /// Remembers that a wallet's kit for heirs was written.
    /// - Parameter digest: the SHA-256 of its main document, 32 bytes.
    /// - Throws: `.noSuchWallet` if the wallet was removed in the meantime, or is a different one of the same name.
    func noteKit(_ digest: [UInt8], of wallet: StoredWallet, at time: UnixTime) throws(StoreError)
    /// Remembers that a rehearsal proved some of a wallet's spending paths; what is known about the others stays.
    /// - Parameter paths: their numbers, from 1.
    /// - Throws: `.noSuchWallet` if the wallet was removed in the meantime, or is a different one of the same name.
    func noteRehearsal(of wallet: StoredWallet, paths: [Int], at time: UnixTime) throws(StoreError)
    /// A chain server's last answer about a wallet; `nil` if none was asked yet.
    func chain(of wallet: String) throws(StoreError) -> WalletChain?
    /// Stores a chain server's answer about a wallet. It replaces an earlier answer, but not a later one; one from the
    /// future is of a time when the clock was ahead, and gives way.
    /// - Throws: `.noSuchWallet` if the wallet was removed in the meantime, or is a different one of the same name.
    func save(_ chain: WalletChain, of wallet: StoredWallet, at time: UnixTime) throws(StoreError)
    /// Removes a wallet and what is known about it. Its transactions stay, without a wallet.
    /// - Throws: `.noSuchWallet` if the wallet was removed in the meantime, or is a different one of the same name.
    func delete(_ wallet: StoredWallet) throws(StoreError)
    /// All labels, by type and reference.
    func labels() throws(StoreError) -> [StoredLabel]
    /// Adds labels. If one of the same type, reference and origin exists, replaces only what the new one contains
    /// (BIP-329, "Importing"). All or none.
    func save(_ labels: [StoredLabel]) throws(StoreError)
}

extension Store {
    /// Stores a PSBT, combined with the stored one of the same transaction if there is one (see
    /// `PSBT.reconciled(with:)`).
    /// - Parameter found: the wallet that it spends from, for a transaction without a known one.
    /// - Returns: the transaction, and whether it is new.
    /// - Throws: `.contradiction` if the two cannot both be right; nothing is changed then.
    package func merge(
        _ psbt: PSBT, network: Network? = nil, wallet: String? = nil, found: WatchWallet? = nil, note: String? = nil,
        at time: UnixTime
    ) throws(StoreError) -> (transaction: StoredTransaction, isNew: Bool) {
        let id = psbt.unsignedTransaction.id
        var isNew = false
        let transaction = try updateTransaction(id) { stored throws(StoreError) in
            guard var stored else {
                isNew = true
                var new = StoredTransaction(
                    psbt: psbt, network: network, wallet: wallet, note: note ?? "", created: time, updated: time)
                new.adopt(found)
                return new
            }
            do throws(PSBTError) { stored.psbt = try stored.psbt.reconciled(with: psbt) } catch {
                throw .contradiction(id, error)
            }
            stored.network = network ?? stored.network
            stored.wallet = wallet ?? stored.wallet
            stored.note = note ?? stored.note
            stored.adopt(found)
            stored.updated = time
            return stored
        }
        return (transaction, isNew)
    }

    /// Stores a PSBT that is being signed, with the stored signatures. If the two differ in keys and paths, this one
    /// counts, which the user saw. If its wallet is unknown, it is the one whose coins it spends.
    /// - Returns: the transaction.
    /// - Throws: `.contradiction` if they differ in the coins that are spent; nothing is changed then.
    @discardableResult
    package func keep(_ psbt: PSBT, at time: UnixTime) throws(StoreError) -> StoredTransaction {
        let wallet = try wallet(of: psbt)
        return try updateTransaction(psbt.unsignedTransaction.id) { stored throws(StoreError) in
            guard var stored else {
                var new = StoredTransaction(psbt: psbt, created: time, updated: time)
                new.adopt(wallet)
                return new
            }
            stored.psbt = try stored.replaced(by: psbt)
            stored.adopt(wallet)
            stored.updated = time
            return stored
        }
    }

    /// A PSBT with the stored signatures of the same transaction that are valid for it.
    package func addingSignatures(to psbt: PSBT) throws(StoreError) -> PSBT {
        guard let stored = try transaction(psbt.unsignedTransaction.id) else { return psbt }
        return psbt.takingSignatures(of: stored.psbt)
    }

    /// Confirms that a PSBT to sign does not contradict the stored one of the same transaction.
    /// - Throws: `.contradiction`.
    package func check(_ psbt: PSBT) throws(StoreError) {
        _ = try transaction(psbt.unsignedTransaction.id)?.replaced(by: psbt)
    }
}

extension StoredTransaction {
    /// The stored PSBT combined with another one of the same transaction, which takes precedence for keys and paths, but not
    /// for those of keys that have signed.
    fileprivate func replaced(by other: PSBT) throws(StoreError) -> PSBT {
        do throws(PSBTError) {
            do throws(PSBTError) { return try psbt.reconciled(with: other) } catch {
                // What is final has no signatures to take.
                guard case .conflict = error, !psbt.inputs.contains(where: \.isFinal) else { throw error }
                try psbt.checkCoins(against: other)
                var signed = other.takingSignatures(of: psbt)
                guard signed.hasSignatures(of: psbt) else { throw error }
                signed.takeClaims(ofSignersIn: psbt)
                return signed
            }
        } catch { throw .contradiction(id, error) }
    }
}
