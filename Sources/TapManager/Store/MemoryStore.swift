import Bitcoin
import Synchronization
import TapProtocol

/// A store that lives as long as the process: for programs that store nothing, and for tests of flows.
package final class MemoryStore: Store {
    private struct Content {
        var cards: [CardIdent: CardRecord] = [:]
        var accounts: [CardIdent: [DerivationPath: ProvenAccount]] = [:]
        var transactions: [TransactionID: StoredTransaction] = [:]
        /// Ids in the order in which they were stored.
        var order: [TransactionID] = []
        /// Signatures that were added one by one, by input.
        var made: [TransactionID: [Int: [PartialSignature]]] = [:]
        var flows: [FlowEntry] = []
        var backups: [StoredBackup] = []
        var wallets: [String: StoredWallet] = [:]
        var chains: [String: WalletChain] = [:]
        var labels: [[String]: StoredLabel] = [:]

        /// Confirms that a wallet is still the one of its name.
        func require(_ wallet: StoredWallet) throws(StoreError) {
            guard wallets[wallet.name]?.created == wallet.created,
                wallets[wallet.name]?.descriptors == wallet.descriptors
            else { throw .noSuchWallet(wallet.name) }
        }

        /// Removes a transaction and its signatures.
        mutating func remove(_ id: TransactionID) -> StoredTransaction? {
            order.removeAll { $0 == id }
            made[id] = nil
            return transactions.removeValue(forKey: id)
        }
    }

    private let content = Mutex(Content())

    /// An empty store.
    package init() {}

    /// `nil` if the card was never saved.
    package func card(_ ident: CardIdent) -> CardRecord? { content.withLock { $0.cards[ident] } }

    /// Most recently seen first; then by ident.
    package func cards() -> [CardRecord] {
        content.withLock { content in
            content.cards.values.sorted { ($1.lastSeen, $0.ident.text) < ($0.lastSeen, $1.ident.text) }
        }
    }

    /// `false` if the card was never saved.
    package func name(_ card: CardIdent, _ name: String?) -> Bool {
        content.withLock { content in
            content.cards[card]?.name = name
            return content.cards[card] != nil
        }
    }

    /// An earlier record completes this one: a fingerprint, a name or a higher version is never lost.
    package func save(_ card: CardRecord) {
        content.withLock { content in
            content.cards[card.ident] = card.completed(by: content.cards[card.ident])
        }
    }

    /// `nil` unless this card has proven a key at exactly this path.
    package func provenAccount(of cardKey: PublicKey, at path: DerivationPath) -> ProvenAccount? {
        content.withLock { $0.accounts[CardIdent(of: cardKey)]?[path] }
    }

    /// By the text of the path, as the database sorts.
    package func provenAccounts(of cardKey: PublicKey) -> [ProvenAccount] {
        content.withLock { content in
            (content.accounts[CardIdent(of: cardKey)] ?? [:]).values.sorted {
                $0.path.description < $1.path.description
            }
        }
    }

    /// Replaces what was proven at the same path of the card.
    package func save(_ account: ProvenAccount) {
        content.withLock { $0.accounts[CardIdent(of: account.cardKey), default: [:]][account.path] = account }
    }

    /// Deletes proven accounts with the card; backups, transactions and unfinished flows stay.
    package func forgetCard(_ ident: CardIdent) -> Bool {
        content.withLock { content in
            let card = content.cards.removeValue(forKey: ident)
            let accounts = content.accounts.removeValue(forKey: ident)
            return card != nil || accounts != nil
        }
    }

    /// Includes every signature that was added since the PSBT was written; `nil` if there is none.
    package func transaction(_ id: TransactionID) -> StoredTransaction? {
        content.withLock { $0.transactions[id] }
    }

    /// By the time of creation, newest first; a limit or an offset below 0 counts as 0.
    package func transactions(limit: Int, offset: Int) -> [TransactionSummary] {
        let newest = content.withLock { content in
            content.order.indices.compactMap { place in
                content.transactions[content.order[place]].map { (place, $0) }
            }
        }
        .sorted { ($1.1.created, $1.0) < ($0.1.created, $0.0) }
        return newest.dropFirst(max(0, offset)).prefix(max(0, limit)).map(\.1.summary)
    }

    /// Includes those that were sent.
    package func transactionCount() -> Int { content.withLock { $0.transactions.count } }

    /// At most two; none for a prefix that is not hexadecimal, in either case.
    package func transactionIDs(startingWith prefix: String) -> [TransactionID] {
        let prefix = prefix.lowercased()
        return Array(content.withLock { $0.order.filter { $0.description.hasPrefix(prefix) } }.prefix(2))
    }

    /// `change` runs while the store is locked, and must not use it; if it throws, nothing changes.
    package func updateTransaction(
        _ id: TransactionID, _ change: (StoredTransaction?) throws(StoreError) -> StoredTransaction
    ) throws(StoreError) -> StoredTransaction {
        try content.withLock { content throws(StoreError) in
            let changed = try change(content.transactions[id])
            guard changed.id == id else { throw .contradiction(id, .otherTransaction(changed.id)) }
            if content.transactions.updateValue(changed, forKey: id) == nil { content.order.append(id) }
            content.made[id] = content.made[id].map { changed.psbt.signatures(among: $0) }
            return changed
        }
    }

    /// Does not rewrite the PSBT. Throws `.noSuchTransaction`, also for an input that the transaction does not have.
    package func add(_ signature: StoredSignature, to id: TransactionID, at time: UnixTime) throws(StoreError) {
        try content.withLock { content throws(StoreError) in
            guard content.transactions[id]?.psbt.inputs.indices.contains(signature.inputIndex) == true else {
                throw .noSuchTransaction(id)
            }
            content.transactions[id]?.psbt.addPartialSignature(
                signature.signature, toInput: signature.inputIndex)
            content.transactions[id]?.updated = time
            var made = content.made[id]?[signature.inputIndex] ?? []
            made.removeAll { $0.publicKey == signature.signature.publicKey }
            content.made[id, default: [:]][signature.inputIndex] = made + [signature.signature]
        }
    }

    /// None for a transaction that is not stored.
    package func signaturesMadeHere(for id: TransactionID) -> [Int: [PartialSignature]] {
        content.withLock { $0.made[id] ?? [:] }
    }

    /// Throws `.coinsTaken` if another transaction spends one of its coins, unless it is replaced or conflicts with the
    /// replaced one.
    package func create(_ transaction: StoredTransaction, replacing replaced: TransactionID?) throws(StoreError) {
        try content.withLock { content throws(StoreError) in
            let own = Set(transaction.psbt.unsignedTransaction.inputs.map(\.outpoint))
            let taken = Self.takenCoins(in: content, except: replaced).filter { own.contains($0.key) }
            guard taken.isEmpty else { throw .coinsTaken(taken) }
            if let replaced, content.transactions[replaced]?.leftHere == nil { _ = content.remove(replaced) }
            content.transactions[transaction.id] = transaction
            content.order.append(transaction.id)
        }
    }

    /// Includes coins of sent transactions; if several spend a coin, the newest is given.
    package func takenCoins() -> [Outpoint: TransactionID] {
        content.withLock { Self.takenCoins(in: $0, except: nil) }
    }

    /// Includes those of transactions that were replaced long ago.
    package func spenders() -> [Outpoint: Set<TransactionID>] {
        content.withLock { content in
            var spenders: [Outpoint: Set<TransactionID>] = [:]
            for (id, transaction) in content.transactions {
                for input in transaction.psbt.unsignedTransaction.inputs {
                    spenders[input.outpoint, default: []].insert(id)
                }
            }
            return spenders
        }
    }

    /// Only for those that are stored.
    package func note(_ standings: [TransactionID: ChainStanding?], at time: UnixTime) {
        content.withLock { content in
            for (id, standing) in standings where content.transactions[id] != nil {
                content.transactions[id]?.standing = standing
                if let standing, standing.replacedBy == nil { Self.noteSeen(id, at: time, in: &content) }
            }
        }
    }

    /// Skips those that are not stored.
    package func noteSeen(_ ids: Set<TransactionID>, at time: UnixTime) {
        content.withLock { content in
            for id in ids { Self.noteSeen(id, at: time, in: &content) }
        }
    }

    private static func noteSeen(_ id: TransactionID, at time: UnixTime, in content: inout Content) {
        guard let stored = content.transactions[id], stored.sent == nil, stored.offered == nil else { return }
        content.transactions[id]?.offered = time
    }

    private static func takenCoins(in content: Content, except replaced: TransactionID?) -> [Outpoint: TransactionID] {
        var taken: [Outpoint: TransactionID] = [:]
        func coins(_ transaction: StoredTransaction?) -> [Outpoint] {
            transaction?.psbt.unsignedTransaction.inputs.map(\.outpoint) ?? []
        }
        let shared = Set(coins(replaced.flatMap { content.transactions[$0] }))
        for id in content.order {
            guard let transaction = content.transactions[id], transaction.standing?.freesCoins != true,
                shared.isDisjoint(with: coins(transaction))
            else { continue }
            for input in transaction.psbt.unsignedTransaction.inputs { taken[input.outpoint] = id }
        }
        return taken
    }

    /// Deletes signatures, too, and frees its coins; `false` if there was none.
    package func deleteTransaction(_ id: TransactionID) -> Bool {
        content.withLock { $0.remove(id) != nil }
    }

    /// Most recently started first, without entries that no flow can have written.
    package func flows(of card: CardIdent) -> [FlowEntry] {
        flows().filter { $0.card == card }
    }

    /// For all cards, most recently started first, without entries that no flow can have written.
    package func flows() -> [FlowEntry] { content.withLock { $0.flows.reversed() } }

    /// Replaces the entry of the same flow of the card, except for its start time.
    package func record(_ state: FlowState, of card: CardIdent, at time: UnixTime) {
        content.withLock { content in
            let place = content.flows.firstIndex { $0.card == card && $0.state.kind == state.kind }
            let entry = FlowEntry(
                card: card, state: state, created: place.map { content.flows[$0].created } ?? time,
                updated: time)
            if let place { content.flows[place] = entry } else { content.flows.append(entry) }
        }
    }

    /// Does nothing if there is no such entry.
    package func finish(_ kind: FlowKind, of card: CardIdent) {
        content.withLock { $0.flows.removeAll { $0.card == card && $0.state.kind == kind } }
    }

    /// Stores the same ciphertext of a card only once.
    package func save(_ backup: StoredBackup) {
        content.withLock { content in
            content.backups.removeAll { $0.card == backup.card && $0.ciphertext == backup.ciphertext }
            content.backups.append(backup)
        }
    }

    /// Newest first.
    package func backups(of card: CardIdent) -> [StoredBackup] {
        content.withLock { $0.backups.filter { $0.card == card }.reversed() }
    }

    /// By name, with their descriptors in order.
    package func wallets() -> [StoredWallet] {
        content.withLock { $0.wallets.values.sorted { $0.name < $1.name } }
    }

    /// Replaces a wallet of the same name with all its descriptors.
    package func save(_ wallet: StoredWallet) { content.withLock { $0.wallets[wallet.name] = wallet } }

    /// Throws `.walletExists` if the name is taken; then nothing changes.
    package func add(_ wallet: StoredWallet) throws(StoreError) {
        try content.withLock { content throws(StoreError) in
            guard content.wallets[wallet.name] == nil else { throw .walletExists(wallet.name) }
            content.wallets[wallet.name] = wallet
        }
    }

    /// Throws `.noSuchWallet` if the wallet is gone, or is a different one of the same name.
    package func add(_ registration: StoredRegistration, to wallet: StoredWallet) throws(StoreError) {
        try content.withLock { content throws(StoreError) in
            try content.require(wallet)
            content.wallets[wallet.name]?.registrations.removeAll { $0.account == registration.account }
            content.wallets[wallet.name]?.registrations.append(registration)
        }
    }

    /// Throws `.noSuchWallet` if the wallet is gone, or is a different one of the same name.
    package func noteKit(_ digest: [UInt8], of wallet: StoredWallet, at time: UnixTime) throws(StoreError) {
        try changeDrill(of: wallet) { drill in
            WalletDrill(kits: drill.kits.merging([digest: time]) { _, new in new }, proven: drill.proven)
        }
    }

    /// Throws `.noSuchWallet` if the wallet is gone, or is a different one of the same name.
    package func noteRehearsal(of wallet: StoredWallet, paths: [Int], at time: UnixTime) throws(StoreError) {
        try changeDrill(of: wallet) { drill in
            WalletDrill(
                kits: drill.kits,
                proven: drill.proven.merging(paths.map { ($0, time) }) { _, new in new })
        }
    }

    private func changeDrill(
        of wallet: StoredWallet, _ change: (WalletDrill) -> WalletDrill
    ) throws(StoreError) {
        try content.withLock { content throws(StoreError) in
            try content.require(wallet)
            let drill = change(content.wallets[wallet.name]?.drill ?? WalletDrill())
            content.wallets[wallet.name]?.drill = drill
        }
    }

    /// `nil` for a wallet that was never synchronized, or does not exist.
    package func chain(of wallet: String) -> WalletChain? { content.withLock { $0.chains[wallet] } }

    /// Does not replace a later answer. Throws `.noSuchWallet` if the wallet is gone, or is a different one of the same
    /// name.
    package func save(_ chain: WalletChain, of wallet: StoredWallet, at time: UnixTime) throws(StoreError) {
        try content.withLock { content throws(StoreError) in
            try content.require(wallet)
            if let present = content.chains[wallet.name], present.network == chain.network, present.time > chain.time,
                present.time <= time
            {
                return
            }
            content.chains[wallet.name] = chain
        }
    }

    /// Deletes the answer about it, too; its transactions stay, without a wallet, and are not sweeps.
    package func delete(_ wallet: StoredWallet) throws(StoreError) {
        try content.withLock { content throws(StoreError) in
            try content.require(wallet)
            content.chains[wallet.name] = nil
            content.wallets[wallet.name] = nil
            for id in content.order where content.transactions[id]?.wallet == wallet.name {
                content.transactions[id]?.wallet = nil
                content.transactions[id]?.drains = false
            }
        }
    }

    /// By type and reference.
    package func labels() -> [StoredLabel] {
        content.withLock { content in
            content.labels.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
        }
    }

    /// All or none; what a label does not contain stays unchanged (BIP-329, "Importing").
    package func save(_ labels: [StoredLabel]) {
        content.withLock { content in
            for label in labels {
                let key = [label.type, label.reference, label.origin]
                content.labels[key] = content.labels[key]?.updated(by: label) ?? label
            }
        }
    }
}
