import Bitcoin
import TapProtocol

/// What heirs need to find a wallet's money, and to spend it with the cards or their backups: the descriptors, the
/// policy, and whose keys they are. It has no secret, and no registration; whoever has it sees every payment of the
/// wallet.
package struct WalletKit: Sendable {
    /// A card that has keys of the wallet.
    package struct Card: Sendable {
        /// An encrypted backup, by the SHA-256 of its file.
        package struct Backup: Sendable {
            package let digest: [UInt8]
            package let created: UnixTime
        }

        /// The master key's, as the descriptors say.
        package let fingerprint: Fingerprint
        package let ident: CardIdent
        /// The user's name for it.
        package let name: String?
        package let product: CardProduct
        /// Those that the store knows, newest first.
        package let backups: [Backup]
    }

    /// The wallet, which is sound.
    package let wallet: WatchWallet
    /// When the kit was made.
    package let written: UnixTime
    /// Every way to spend; empty if there are more than are listed.
    package let paths: [KitPath]
    /// The cards that the store knows to have keys of the wallet.
    package let cards: [Card]
    /// The height of the chain at the last synchronization; `nil`: there was none.
    package let height: Int?
    /// When that was.
    private let heightTime: UnixTime
    /// To which coins the spending paths were open then, by the paths' numbers; only those that blocks open.
    package let openings: [(path: Int, opening: SpendingPathOpening)]
    /// The argument of Bitcoin Core's `importdescriptors`.
    private let core: String

    /// What the store knows about a wallet.
    /// - Parameter view: the wallet at its last synchronization.
    init(
        _ stored: WatchWallet, _ view: WalletOverview, core: String, in store: any Store, at time: UnixTime
    ) throws(StoreError) {
        wallet = stored
        written = time
        paths = KitPath.all(of: stored)
        self.core = core
        height = view.chain?.height
        heightTime = view.chain?.time ?? time
        openings = paths.compactMap { path in
            path.path.flatMap { view.opening(of: $0) }.map { (path.number, $0) }
        }
        var cards: [Card] = []
        let records = try store.cards()
        var seen: Set<Fingerprint> = []
        for key in stored.shownKeys {
            guard let fingerprint = key.origin?.fingerprint, seen.insert(fingerprint).inserted else { continue }
            for record in records where record.fingerprint == fingerprint {
                cards.append(
                    Card(
                        fingerprint: fingerprint, ident: record.ident, name: record.shownName, product: record.product,
                        backups: try store.backups(of: record.ident).map {
                            Card.Backup(digest: SHA256.hash($0.ciphertext.bytes), created: $0.created)
                        }))
            }
        }
        self.cards = cards
    }

    /// When a block of this height is to be expected, at ten minutes for a block; `nil` if no chain server was asked.
    package func expectedTime(ofBlock block: Int) -> UnixTime? {
        height.map { UnixTime(seconds: heightTime.seconds + Int64(block - $0) * TimeLock.secondsPerBlock) }
    }

    /// The descriptors, one on each line.
    static func descriptorLines(of wallet: WatchWallet) -> String {
        wallet.descriptors.compactMap(\.text).map { $0 + "\n" }.joined()
    }

    /// Every file of the kit, the main document last.
    /// - Parameter texts: those that a front end writes in its own words.
    package func files(with texts: [KitFile]) -> [KitFile] {
        let others = [KitFile(.descriptors, Self.descriptorLines(of: wallet)), KitFile(.core, core)] + texts
        let document = (try? JSONDocument.text(KitDocument(self, files: others), keys: .snakeCase, .lines)) ?? ""
        return others + [KitFile(.document, document)]
    }
}
