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
        /// Those of the wallet's keys that the card has proven to have. It is said to have the others.
        package let provenKeys: Set<WatchWallet.ShownKey>
    }

    /// The wallet, which is sound.
    package let wallet: WatchWallet
    /// When the kit was made.
    package let written: UnixTime
    /// Every way to spend; empty if there are more than are listed.
    package let paths: [KitPath]
    /// What people call its keys: names of cards that have proven them, or else labels.
    package let names: [WatchWallet.ShownKey: SpendingTerms.Key]
    /// The cards that the store knows to have keys of the wallet.
    package let cards: [Card]
    /// The height of the chain at the last synchronization, and when that was; `nil`: there was none.
    package let clock: BlockClock?
    /// To which coins the spending paths with locks were open then, by the paths' numbers.
    package let openings: [(path: Int, opening: SpendingPathOpening)]
    /// How many unused addresses in a row heirs have to search to find every coin, whatever was paid before it; `nil`:
    /// the usual number, or there was no synchronization.
    package let neededGapLimit: Int?
    /// How many addresses of each branch Bitcoin Core is told to watch: enough for every coin.
    let addressCount: Int

    /// What the store knows about a wallet.
    /// - Parameter view: the wallet at its last synchronization.
    /// - Throws: `WalletError.falseKey` for a key that a card does not have; `StoreError`.
    init(_ stored: WatchWallet, _ view: WalletOverview, in store: any Store, at time: UnixTime) throws {
        wallet = stored
        written = time
        names = try store.names(of: stored.descriptors.flatMap(\.keys))
        paths = KitPath.all(of: stored, names: names)
        clock = view.chain?.clock
        neededGapLimit = view.chain?.neededGapLimit
        addressCount = ExportSource(stored, view.chain).addressCount
        openings = paths.compactMap { path in
            path.path.flatMap { view.opening(of: $0) }.map { (path.number, $0) }
        }
        let keys = stored.descriptors.flatMap(\.keys)
        let fingerprints = stored.shownKeys.compactMap(\.origin?.fingerprint)
        cards = try store.cards().compactMap { record in
            record.fingerprint.flatMap { fingerprints.firstIndex(of: $0) }.map { (record, $0) }
        }.sorted { $0.1 < $1.1 }.map { record, place in
            Card(
                fingerprint: fingerprints[place], ident: record.ident, name: record.shownName, product: record.product,
                backups: try store.backups(of: record.ident).map {
                    Card.Backup(digest: SHA256.hash($0.ciphertext.bytes), created: $0.created)
                }, provenKeys: Set(try store.provenKeys(of: record, among: keys).map(\.shown)))
        }
    }

    /// The gap limit that heirs give a search: the needed one or, if that is more than a search takes, the largest.
    package var gapLimit: Int? { neededGapLimit.map { min($0, WalletSync.largestGapLimit) } }

    /// The gap limit that it would take to find every coin for certain, if no search takes that many; `nil`: one does.
    package var excessiveGapLimit: Int? { neededGapLimit.flatMap { $0 > WalletSync.largestGapLimit ? $0 : nil } }

    /// Whether a spending path opens with time, and the last synchronization is more than a day older than the kit, or
    /// never was: then the kit says nothing useful about when.
    package var lacksDates: Bool {
        guard paths.contains(where: \.terms.isLocked) else { return false }
        guard let synchronized = clock?.time else { return true }
        let (age, overflows) = written.seconds.subtractingReportingOverflow(synchronized.seconds)
        return overflows || !(0...Self.day).contains(age)
    }

    /// In seconds.
    private static let day: Int64 = 24 * 3_600

    /// The descriptors, one on each line.
    static func descriptorLines(of wallet: WatchWallet) -> String {
        wallet.descriptors.compactMap(\.text).map { $0 + "\n" }.joined()
    }

    /// The argument of Bitcoin Core's `importdescriptors`. It scans from the beginning of the chain: whoever said when
    /// the first payment was may have lied.
    /// - Parameter addressCount: how many addresses of each branch Core is told to watch.
    static func coreRequests(of wallet: WatchWallet, addressCount: Int) -> String {
        CoreExport(ExportSource(wallet, addressCount: addressCount), start: .time(UnixTime(seconds: 0))).text
    }

    /// Every file of the kit, the main document last.
    /// - Parameter texts: those that a front end writes in its own words.
    /// - Throws: only if a value cannot be written as JSON.
    package func files(with texts: [KitFile]) throws -> [KitFile] {
        let others =
            [
                KitFile(.descriptors, Self.descriptorLines(of: wallet)),
                KitFile(.core, Self.coreRequests(of: wallet, addressCount: addressCount)),
            ] + texts
        let document = try JSONDocument.text(KitDocument(self, files: others), keys: .snakeCase, .lines)
        return others + [KitFile(.document, document)]
    }
}
