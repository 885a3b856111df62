import Bitcoin
import TapProtocol

/// Reads what a list of stored transactions needs in addition to their summaries; what several of them need is read
/// once.
struct TransactionLister {
    private let store: any Store
    private let network: Network?
    private var wallets: [String: WatchWallet] = [:]
    private let cards: [CardRecord]
    private let labels: LabelTexts
    private let shown: ShownReach

    /// - Parameter network: the network whose address form is used; `nil`: that of each transaction.
    /// - Throws: why the store cannot be read.
    init(_ store: any Store, network: Network?) throws(StoreError) {
        self.store = store
        self.network = network
        shown = ShownReach(store)
        cards = try store.cards()
        labels = LabelTexts(try store.labels())
        for stored in try store.wallets() {
            guard let wallet = stored.asRegistered, wallet.fault == nil else { continue }
            wallets[stored.name] = wallet
        }
    }

    /// Everything that is listed about a transaction; for an unreadable one, only its summary.
    func listing(_ summary: TransactionSummary) -> TransactionListing {
        guard let stored = (try? store.transaction(summary.id)) ?? nil else {
            return TransactionListing(
                summary: summary, sent: nil, payees: [], label: labels.of(summary.id), signers: [])
        }
        let shown = stored.network(asked: network)
        let outputs = stored.psbt.unsignedTransaction.outputs
        let evidence = Evidence(of: stored, on: shown, self)
        let foreign = evidence.foreign
        var seen: Set<Script> = []
        let payees = foreign.map(\.scriptPubKey).filter { seen.insert($0).inserted }.map { script in
            let address = Address(scriptPubKey: script, network: shown)
            return TransactionListing.Payee(
                script: script, address: address, label: address.flatMap { labels.of($0) })
        }
        let canSign = summary.standing == nil ? SignatureTally(stored.psbt).canSign : []
        return TransactionListing(
            summary: summary, sent: Amount.sum(outputs: foreign.isEmpty ? outputs : foreign), payees: payees,
            network: shown,
            label: labels.of(summary.id) ?? labels.of(SigningResult(stored.psbt, added: 0).transaction?.id),
            signers: canSign.map { fingerprint in
                .init(fingerprint: fingerprint, card: cards.first { $0.fingerprint == fingerprint })
            }, isRefused: !canSign.isEmpty && evidence.isRefused)
    }

    /// What shows which outputs of a transaction pay back, derived once.
    private struct Evidence {
        private let psbt: PSBT
        private let planner: SigningPlanner
        private let wallet: WatchWallet?
        /// The wallet, if it derives all inputs.
        private let spent: SpentWallet?
        /// With a remembered card's proven keys, if no wallet derives all inputs.
        private let context: SigningContext?

        init(of stored: StoredTransaction, on network: Network, _ lister: TransactionLister) {
            psbt = stored.psbt
            planner = SigningPlanner(psbt: psbt, network: network)
            wallet = stored.wallet.flatMap { lister.wallets[$0] }
            spent = wallet?.spent(by: psbt, shown: lister.shown)
            context = spent == nil ? lister.store.contextOfKnownCard(planner, of: psbt) : nil
        }

        /// The outputs that are not proven to pay back.
        var foreign: [TransactionOutput] {
            let outputs = psbt.unsignedTransaction.outputs
            if let spent { return zip(outputs, psbt.outputs).filter { !spent.isChange($0, $1) }.map(\.0) }
            guard let context else { return outputs }
            return zip(outputs, context.changes).filter { !$1.isProven }.map(\.0)
        }

        /// Whether a review has a refusal, as `tx show` would say.
        var isRefused: Bool {
            let known = wallet == nil ? context : nil
            let shown = known ?? planner.contextWithoutKeys().recognizing(spent)
            return shown.findings.contains { $0.severity == .refusal }
        }
    }
}

/// The user's labels for addresses and transactions.
package struct LabelTexts: Sendable {
    private let texts: [String: String]

    init(_ labels: [StoredLabel]) {
        // Swift takes the Kelvin sign for a K: such a reference would name an address that it does not have as text.
        let named = labels.filter { !$0.label.isEmpty && $0.reference.utf8.allSatisfy { $0 < 0x80 } }
        texts = Dictionary(
            named.map { ("\($0.type) \($0.reference)", $0.label) }, uniquingKeysWith: { first, _ in first })
    }

    /// The label of a transaction, exactly as written.
    package func of(_ transaction: TransactionID?) -> String? {
        transaction.flatMap { texts["\(Label.Kind.transaction.rawValue) \($0)"] }
    }

    /// The label of an address, exactly as written.
    package func of(_ address: Address) -> String? { texts["\(Label.Kind.address.rawValue) \(address)"] }

    /// The label of a coin, exactly as written.
    package func of(_ coin: Outpoint) -> String? { texts["\(Label.Kind.output.rawValue) \(coin)"] }
}
