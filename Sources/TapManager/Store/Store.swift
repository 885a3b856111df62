import Bitcoin
import TapProtocol

/// The local store: cards, transactions, the journal of flows, encrypted backups, wallets, labels.
///
/// Every call that returns without an error is durable: it survives the process and the power. Calls block for the
/// length of a write to the disk. Several processes may use one store at once; each call is seen whole or not at all.
/// Holds no secret.
package protocol Store: Sendable {
    // MARK: Cards

    /// What is remembered of a card; `nil` when it was never seen.
    func card(_ ident: CardIdent) throws(StoreError) -> CardRecord?
    /// All cards, the one seen last first.
    func cards() throws(StoreError) -> [CardRecord]
    /// Remembers a card. A fingerprint that is known is not forgotten by a record that has none, nor a name or a higher version.
    func save(_ card: CardRecord) throws(StoreError)
    /// Calls a card something, or with `nil` nothing any more.
    /// - Returns: whether the card is remembered; nothing is changed where not.
    func name(_ card: CardIdent, _ name: String?) throws(StoreError) -> Bool
    /// The extended key that a card was proven to hold at a path; `nil` when none was.
    func provenAccount(of cardKey: PublicKey, at path: DerivationPath) throws(StoreError) -> ProvenAccount?
    /// Remembers an extended key that a card was proven to hold.
    func save(_ account: ProvenAccount) throws(StoreError)
    /// Forgets what is remembered of a card, its proven accounts too; not its backups, transactions and unfinished flows.
    /// - Returns: whether there was anything.
    func forgetCard(_ ident: CardIdent) throws(StoreError) -> Bool

    // MARK: Transactions

    /// A stored transaction with every signature; `nil` when there is none.
    func transaction(_ id: TransactionID) throws(StoreError) -> StoredTransaction?
    /// The newest transactions by the time of creation, newest first.
    /// - Parameters:
    ///   - limit: how many at most.
    ///   - offset: how many of the newest to leave out.
    func transactions(limit: Int, offset: Int) throws(StoreError) -> [TransactionSummary]
    /// How many transactions there are.
    func transactionCount() throws(StoreError) -> Int
    /// Ids that begin with these hexadecimal digits as people see them, at most two, so that one can be named by its beginning.
    func transactionIDs(startingWith prefix: String) throws(StoreError) -> [TransactionID]
    /// Reads a transaction, changes it and writes it, with no other process in between.
    /// - Parameter change: given the stored transaction, or `nil`; returns what shall stand there. Its signatures are
    ///   then those in the returned PSBT. Must not use the store itself.
    /// - Returns: what `change` returned.
    /// - Throws: what `change` throws, with nothing changed; `.contradiction` when it returns another transaction.
    func updateTransaction(
        _ id: TransactionID, _ change: (StoredTransaction?) throws(StoreError) -> StoredTransaction
    ) throws(StoreError) -> StoredTransaction
    /// Adds one signature to a stored transaction. Costs the same however large the PSBT is.
    /// - Throws: `.noSuchTransaction`.
    func add(_ signature: StoredSignature, to id: TransactionID, at time: UnixTime) throws(StoreError)
    /// Stores a transaction that is not there yet, with no other process in between, unless another stored one spends one of
    /// its coins.
    /// - Parameter replaced: a transaction that this one takes the place of; deleted unless it was sent. Its coins, and those
    ///   of others that share a coin with it, may be spent.
    /// - Throws: `.coinsTaken` with the coins and the transactions that spend them; nothing is changed then. Coins that are
    ///   free as `takenCoins` has it are not among them.
    func create(_ transaction: StoredTransaction, replacing replaced: TransactionID?) throws(StoreError)
    /// The coins that stored transactions spend, each with one of the transactions that do; without those of a transaction whose
    /// replacement is deep in the chain, unless another stored one spends them.
    func takenCoins() throws(StoreError) -> [Outpoint: TransactionID]
    /// The coins that stored transactions spend, each with all of the transactions that do.
    func spenders() throws(StoreError) -> [Outpoint: Set<TransactionID>]
    /// Notes where transactions stand in the chain, all of them at once; those that are not stored any more are passed over. What
    /// is signed stays as it is.
    /// - Parameters:
    ///   - standings: by transaction; `nil`: nowhere.
    ///   - time: what counts as the time at which a confirmed one was sent that is not known to have been.
    func note(_ standings: [TransactionID: ChainStanding?], at time: UnixTime) throws(StoreError)
    /// Deletes a transaction and its signatures, which frees its coins.
    /// - Returns: whether there was one.
    func deleteTransaction(_ id: TransactionID) throws(StoreError) -> Bool

    // MARK: The journal of flows

    /// The unfinished flows of a card, the one begun last first. An entry that no flow wrote is left out, so that it keeps
    /// no flow from running: all of them can do without the journal, and ask the card.
    func flows(of card: CardIdent) throws(StoreError) -> [FlowEntry]
    /// All unfinished flows, the one begun last first.
    func flows() throws(StoreError) -> [FlowEntry]
    /// Writes how far a card's flow of this kind has come. A card has at most one flow of each kind.
    func record(_ state: FlowState, of card: CardIdent, at time: UnixTime) throws(StoreError)
    /// Strikes a flow out: it is finished, or nothing of it was done.
    func finish(_ kind: FlowKind, of card: CardIdent) throws(StoreError)

    // MARK: Backups

    /// Keeps an encrypted backup; the same ciphertext of the same card once.
    func save(_ backup: StoredBackup) throws(StoreError)
    /// A card's backups, the one made last first.
    func backups(of card: CardIdent) throws(StoreError) -> [StoredBackup]

    // MARK: Wallets and labels

    /// All wallets, by name.
    func wallets() throws(StoreError) -> [StoredWallet]
    /// Adds a wallet, or replaces the one of the same name.
    func save(_ wallet: StoredWallet) throws(StoreError)
    /// Adds a wallet.
    /// - Throws: `.walletExists` when there is one of this name.
    func add(_ wallet: StoredWallet) throws(StoreError)
    /// What a chain server said about a wallet last; `nil` when none was asked yet.
    func chain(of wallet: String) throws(StoreError) -> WalletChain?
    /// Keeps what a chain server said about a wallet, in place of what one said before; not in place of what one said later.
    /// - Throws: `.noSuchWallet` when the wallet was removed meanwhile, or is another one of the same name.
    func save(_ chain: WalletChain, of wallet: StoredWallet) throws(StoreError)
    /// Removes a wallet and what is known about it. Its transactions stay, without a wallet.
    /// - Returns: whether there was one.
    func deleteWallet(named name: String) throws(StoreError) -> Bool
    /// All labels, by type and reference.
    func labels() throws(StoreError) -> [StoredLabel]
    /// Adds labels; of those of the same type, reference and origin replaces what they say, and leaves what they do not say
    /// (BIP-329, "Importing"). All of them or none.
    func save(_ labels: [StoredLabel]) throws(StoreError)
}

extension Store {
    /// Stores a PSBT, combined with the one of the same transaction if there is one (see `PSBT.reconciled(with:)`).
    /// - Parameter found: the wallet that it spends from, for a transaction of which none is known.
    /// - Returns: the transaction, and whether it is new.
    /// - Throws: `.contradiction` when the two cannot both be right; nothing is changed then.
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

    /// Stores a PSBT that is being signed, with the signatures that are stored. Where the two differ in what they say of
    /// keys and paths, this one stays, which the person saw. One of which no wallet is known is of the one whose coins it spends.
    /// - Returns: the transaction.
    /// - Throws: `.contradiction` when they differ in the coins that are spent; nothing is changed then.
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

    /// A PSBT with the stored signatures of the same transaction that verify under what it says.
    package func addingSignatures(to psbt: PSBT) throws(StoreError) -> PSBT {
        guard let stored = try transaction(psbt.unsignedTransaction.id) else { return psbt }
        return psbt.takingSignatures(of: stored.psbt)
    }

    /// Confirms that a PSBT which is to be signed does not contradict the stored one of the same transaction.
    /// - Throws: `.contradiction`.
    package func check(_ psbt: PSBT) throws(StoreError) {
        _ = try transaction(psbt.unsignedTransaction.id)?.replaced(by: psbt)
    }
}

extension StoredTransaction {
    /// The stored PSBT and another one of the same transaction, which is the one to believe about keys and paths.
    fileprivate func replaced(by other: PSBT) throws(StoreError) -> PSBT {
        do throws(PSBTError) {
            do throws(PSBTError) { return try psbt.reconciled(with: other) } catch {
                // What is final has no signatures that could be taken over.
                guard case .conflict = error, !psbt.inputs.contains(where: \.isFinal) else { throw error }
                try psbt.checkCoins(against: other)
                let signed = other.takingSignatures(of: psbt)
                guard signed.hasSignatures(of: psbt) else { throw error }
                return signed
            }
        } catch { throw .contradiction(id, error) }
    }
}
