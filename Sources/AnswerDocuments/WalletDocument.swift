import Bitcoin
import TapManager
import TextLayout

/// A wallet as JSON.
package struct WalletDocument: Encodable {
    struct Coin: Encodable {
        let outpoint: String
        let amountSat: Int64
        let address: String?
        let path: String?
        let change: Bool
        let confirmed: Bool
        let height: Int?
        /// Whether a label keeps it from being spent.
        let frozen: Bool
        /// The stored transaction that spends it.
        let spentBy: String?
        let label: String?
        /// Spending paths with locks that are open to it, or will be within about 30 days.
        let openings: [Opening]?
    }

    struct Opening: Encodable {
        let path: Int
        /// How many blocks must come first; 0: it is open; absent: a time must pass, or has passed.
        private(set) var blocks: Int?
        /// About when it opens, which for a lock of time may be past; absent if `blocks` is 0.
        private(set) var opensAt: String?

        init(_ opening: CoinOpening) {
            path = opening.path
            switch opening.when {
            case .open: blocks = 0
            case .blocks(let count, let time): (blocks, opensAt) = (count, time.iso8601)
            case .time(let time, _): opensAt = time.iso8601
            }
        }
    }

    let name: String
    let network: String
    let descriptors: [String]
    /// The spending paths, for a wallet with a policy; empty if it has too many to list.
    private var paths: [SpendingPathDocument]?
    /// What cards signed when it was registered with them.
    private var registrations: [RegistrationDocument]?
    /// Its kit for heirs, and when spending with it was last rehearsed.
    private var drill: DrillDocument?
    let created: Int64
    let createdAt: String
    var confirmedSat: Int64?
    /// Absent also if the server did not look for transactions that wait for a block.
    var unconfirmedSat: Int64?
    var utxos: [Coin]?
    var height: Int?
    var server: String?
    var synced: Int64?
    var syncedAt: String?
    /// Whether the server knows what was spent; if not, used and emptied addresses look new.
    var knowsHistory: Bool?
    /// True for a wallet of simulated cards; otherwise absent.
    private var simulated: Bool?
    /// Warnings about how it was made; only for a wallet of several cards, or of one at a cosigner's path.
    private var warnings: [String]?
    /// In a list, true for one that is not what a card registered; otherwise absent.
    private var altered: Bool?
    /// Stored wallets that share a descriptor with a new one; `nil`: none.
    private var sameAs: [String]?

    /// A wallet that was added.
    /// - Parameter isOfSeveralCards: whether cards at paths for wallets of one key are warned about.
    package init(_ added: CardManager.AddedWallet, isOfSeveralCards: Bool = false) {
        self.init(added.wallet.wallet, created: added.wallet.stored.created)
        simulated = added.cards.contains(where: \.isSimulated) ? true : nil
        if isOfSeveralCards {
            warnings = added.singleKeyCards.map { card in
                "\(card.ident) is at \(card.status.path?.description ?? "m"), a path for single-key wallets."
            }
        }
        if let path = added.cosignersPath {
            warnings = ["\(path) is a path for cosigners: other wallets do not look there for a single-key wallet."]
        }
        if !added.sharing.isEmpty { sameAs = added.sharing.map { TerminalText.neutralized($0) } }
    }

    /// A sound wallet, before anything is known about its coins.
    /// - Parameter created: when it was stored.
    package init(_ wallet: WatchWallet, created: UnixTime) {
        name = TerminalText.neutralized(wallet.name)
        network = wallet.network.rawValue
        descriptors = wallet.descriptors.compactMap(\.text)
        let paths = wallet.spendingPaths.map { SpendingPathDocument($0) }
        self.paths = paths.isEmpty && !wallet.hasUnlistedPaths ? nil : paths
        self.created = created.seconds
        createdAt = created.iso8601
    }

    /// A wallet as stored, which may be unsound.
    package init(_ wallet: StoredWallet) {
        name = TerminalText.neutralized(wallet.name)
        network = wallet.network.rawValue
        descriptors = wallet.descriptors.map { TerminalText.neutralized($0.description) }
        created = wallet.created.seconds
        createdAt = wallet.created.iso8601
    }

    /// A wallet in a list, with what a chain server last reported about it.
    package init(_ wallet: ManagerSnapshot.Wallet) {
        self.init(wallet.stored)
        altered = wallet.stored.alteration == nil ? nil : true
        guard let last = wallet.synchronization else { return }
        confirmedSat = last.confirmed?.satoshis
        unconfirmedSat = last.unconfirmed?.satoshis
        height = last.height
        server = TerminalText.neutralized(last.server)
        synced = last.time.seconds
        syncedAt = last.time.iso8601
        knowsHistory = last.hasHistory
    }

    /// A wallet with its coins, if a chain server has reported them.
    package init(_ view: WalletOverview) {
        self.init(view.wallet, created: view.created)
        let known = view.registrations.map { RegistrationDocument($0.stored, text: $0.text, isProven: $0.isProven) }
        registrations = known.isEmpty ? nil : known
        drill = DrillDocument(view.drill)
        paths = paths.map { _ in view.spendingPaths.map { SpendingPathDocument($0, view.opening(of: $0)) } }
        guard let chain = view.chain else { return }
        confirmedSat = view.confirmed.satoshis
        unconfirmedSat = view.unconfirmed?.satoshis
        utxos = chain.coins.map { coin in
            Coin(
                outpoint: coin.outpoint.description, amountSat: coin.output.value,
                address: view.address(of: coin)?.description,
                path: view.path(of: coin.place)?.description, change: view.isChange(coin.place),
                confirmed: coin.height != nil,
                height: coin.height, frozen: view.frozen.contains(coin.outpoint),
                spentBy: view.taken[coin.outpoint]?.description,
                label: view.label(of: coin).map { TerminalText.neutralized($0) },
                openings: Self.openings(of: coin, view))
        }
        height = chain.height
        server = TerminalText.neutralized(chain.server)
        synced = chain.time.seconds
        syncedAt = chain.time.iso8601
        knowsHistory = chain.hasHistory
    }

    private static func openings(of coin: WalletCoin, _ view: WalletOverview) -> [Opening]? {
        let openings = view.openings(of: coin).map(Opening.init)
        return openings.isEmpty ? nil : openings
    }
}
