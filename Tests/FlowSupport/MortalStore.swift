import Bitcoin
import Synchronization
import TapManager
import TapProtocol

/// The way of one process to a store that outlives it. From the moment the process dies nothing it does changes the
/// store, so no clean-up of a flow can help it.
package final class MortalStore: Store {
    /// When the process dies.
    package enum Death: Hashable, Sendable, CaseIterable {
        /// The write has not happened.
        case beforeWrite
        /// The write has happened, and nothing after it.
        case afterWrite
    }

    private struct State {
        var isDead = false
        var reads = 0
        var writes = 0
        var appointment: (write: Int, death: Death)?
    }

    private let kept: MemoryStore
    private let onDeath: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameter onDeath: takes everything else from the process.
    package init(_ kept: MemoryStore, onDeath: @escaping @Sendable () -> Void) {
        (self.kept, self.onDeath) = (kept, onDeath)
    }

    /// How many reads the process has asked for.
    package var readCount: Int { state.withLock { $0.reads } }
    /// How many writes the process has asked for.
    package var writeCount: Int { state.withLock { $0.writes } }
    package var isDead: Bool { state.withLock { $0.isDead } }

    /// Appoints the process's death at a write, counted from 1.
    package func die(_ death: Death, atWrite write: Int) { state.withLock { $0.appointment = (write, death) } }

    /// Ends the process.
    package func die() {
        state.withLock { $0.isDead = true }
        onDeath()
    }

    /// Starts the next process.
    package func startAnew() { state.withLock { $0 = State() } }

    private static let death = StoreError.failed(path: "", reason: "the process is dead")

    private func read<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        state.withLock { $0.reads += 1 }
        guard !isDead else { throw Self.death }
        return try body()
    }

    private func write<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        let death: Death? = try state.withLock { state throws(StoreError) in
            guard !state.isDead else { throw Self.death }
            state.writes += 1
            return state.appointment.flatMap { $0.write == state.writes ? $0.death : nil }
        }
        guard let death else { return try body() }
        if death == .afterWrite { _ = try body() }
        die()
        throw Self.death
    }

    package func card(_ ident: CardIdent) throws(StoreError) -> CardRecord? {
        try read { () throws(StoreError) in kept.card(ident) }
    }

    package func cards() throws(StoreError) -> [CardRecord] { try read { () throws(StoreError) in kept.cards() } }

    package func save(_ card: CardRecord) throws(StoreError) { try write { () throws(StoreError) in kept.save(card) } }

    package func provenAccount(
        of cardKey: PublicKey, at path: DerivationPath
    ) throws(StoreError) -> ProvenAccount? {
        try read { () throws(StoreError) in kept.provenAccount(of: cardKey, at: path) }
    }

    package func provenAccounts(of cardKey: PublicKey) throws(StoreError) -> [ProvenAccount] {
        try read { () throws(StoreError) in kept.provenAccounts(of: cardKey) }
    }

    package func save(_ account: ProvenAccount) throws(StoreError) {
        try write { () throws(StoreError) in kept.save(account) }
    }

    package func forgetCard(_ ident: CardIdent) throws(StoreError) -> Bool {
        try write { () throws(StoreError) in kept.forgetCard(ident) }
    }

    package func transaction(_ id: TransactionID) throws(StoreError) -> StoredTransaction? {
        try read { () throws(StoreError) in kept.transaction(id) }
    }

    package func transactions(limit: Int, offset: Int) throws(StoreError) -> [TransactionSummary] {
        try read { () throws(StoreError) in kept.transactions(limit: limit, offset: offset) }
    }

    package func transactionCount() throws(StoreError) -> Int {
        try read { () throws(StoreError) in kept.transactionCount() }
    }

    package func transactionIDs(startingWith prefix: String) throws(StoreError) -> [TransactionID] {
        try read { () throws(StoreError) in kept.transactionIDs(startingWith: prefix) }
    }

    package func updateTransaction(
        _ id: TransactionID, _ change: (StoredTransaction?) throws(StoreError) -> StoredTransaction
    ) throws(StoreError) -> StoredTransaction {
        try write { () throws(StoreError) in try kept.updateTransaction(id, change) }
    }

    package func add(_ signature: StoredSignature, to id: TransactionID, at time: UnixTime) throws(StoreError) {
        try write { () throws(StoreError) in try kept.add(signature, to: id, at: time) }
    }

    package func create(_ transaction: StoredTransaction, replacing replaced: TransactionID?) throws(StoreError) {
        try write { () throws(StoreError) in try kept.create(transaction, replacing: replaced) }
    }

    package func takenCoins() throws(StoreError) -> [Outpoint: TransactionID] {
        try read { () throws(StoreError) in kept.takenCoins() }
    }

    package func spenders() throws(StoreError) -> [Outpoint: Set<TransactionID>] {
        try read { () throws(StoreError) in kept.spenders() }
    }

    package func signaturesMadeHere(for id: TransactionID) throws(StoreError) -> [Int: [PartialSignature]] {
        try read { () throws(StoreError) in kept.signaturesMadeHere(for: id) }
    }

    package func note(_ standings: [TransactionID: ChainStanding?], at time: UnixTime) throws(StoreError) {
        try write { () throws(StoreError) in kept.note(standings, at: time) }
    }

    package func noteSeen(_ ids: Set<TransactionID>, at time: UnixTime) throws(StoreError) {
        try write { () throws(StoreError) in kept.noteSeen(ids, at: time) }
    }

    package func name(_ card: CardIdent, _ name: String?) throws(StoreError) -> Bool {
        try write { () throws(StoreError) in kept.name(card, name) }
    }

    package func add(_ wallet: StoredWallet) throws(StoreError) {
        try write { () throws(StoreError) in try kept.add(wallet) }
    }

    package func chain(of wallet: String) throws(StoreError) -> WalletChain? {
        try read { () throws(StoreError) in kept.chain(of: wallet) }
    }

    package func save(_ chain: WalletChain, of wallet: StoredWallet, at time: UnixTime) throws(StoreError) {
        try write { () throws(StoreError) in try kept.save(chain, of: wallet, at: time) }
    }

    package func deleteTransaction(_ id: TransactionID) throws(StoreError) -> Bool {
        try write { () throws(StoreError) in kept.deleteTransaction(id) }
    }

    package func flows(of card: CardIdent) throws(StoreError) -> [FlowEntry] {
        try read { () throws(StoreError) in kept.flows(of: card) }
    }

    package func flows() throws(StoreError) -> [FlowEntry] { try read { () throws(StoreError) in kept.flows() } }

    package func record(_ state: FlowState, of card: CardIdent, at time: UnixTime) throws(StoreError) {
        try write { () throws(StoreError) in kept.record(state, of: card, at: time) }
    }

    package func finish(_ kind: FlowKind, of card: CardIdent) throws(StoreError) {
        try write { () throws(StoreError) in kept.finish(kind, of: card) }
    }

    package func save(_ backup: StoredBackup) throws(StoreError) {
        try write { () throws(StoreError) in kept.save(backup) }
    }

    package func backups(of card: CardIdent) throws(StoreError) -> [StoredBackup] {
        try read { () throws(StoreError) in kept.backups(of: card) }
    }

    package func wallets() throws(StoreError) -> [StoredWallet] { try read { () throws(StoreError) in kept.wallets() } }

    package func save(_ wallet: StoredWallet) throws(StoreError) {
        try write { () throws(StoreError) in kept.save(wallet) }
    }

    package func add(_ registration: StoredRegistration, to wallet: StoredWallet) throws(StoreError) {
        try write { () throws(StoreError) in try kept.add(registration, to: wallet) }
    }

    package func noteKit(_ digest: [UInt8], of wallet: StoredWallet, at time: UnixTime) throws(StoreError) {
        try write { () throws(StoreError) in try kept.noteKit(digest, of: wallet, at: time) }
    }

    package func noteRehearsal(of wallet: StoredWallet, paths: [Int], at time: UnixTime) throws(StoreError) {
        try write { () throws(StoreError) in try kept.noteRehearsal(of: wallet, paths: paths, at: time) }
    }

    package func delete(_ wallet: StoredWallet) throws(StoreError) {
        try write { () throws(StoreError) in try kept.delete(wallet) }
    }

    package func labels() throws(StoreError) -> [StoredLabel] { try read { () throws(StoreError) in kept.labels() } }

    package func save(_ labels: [StoredLabel]) throws(StoreError) {
        try write { () throws(StoreError) in kept.save(labels) }
    }
}
