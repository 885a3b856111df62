import Bitcoin
import ByteCodec
import TapProtocol

/// The main document of a kit, for programs.
struct KitDocument: Encodable {
    static let format = "tapkit-kit"
    /// The newest version of the format. Version 2 is written only where Bitcoin Core has to watch more addresses than
    /// by default, which readers of version 1 would take for an alteration.
    static let newestVersion: Int64 = 2

    /// What follows from the descriptors: whoever reads the kit derives it again.
    struct Derived: Encodable {
        struct Branch: Encodable {
            let descriptor: String
            let change: Bool
            let firstAddress: String?
        }

        struct Key: Encodable {
            let fingerprint: String?
            let path: String?
            let key: String
        }

        struct Signers: Encodable {
            let threshold: Int
            /// Master fingerprints; a key without an origin in hexadecimal.
            let keys: [String]
        }

        struct Path: Encodable {
            let path: Int
            let signers: [Signers]
            /// See `SpendingTerms.choiceText`; absent if it is one path.
            let choice: String?
            /// As sequence numbers say it (BIP-68).
            let older: [UInt32]
            /// As lock times say it (BIP-65).
            let after: [UInt32]
            /// The function and the hash, as in a descriptor.
            let preimages: [String]

            init(_ path: KitPath) {
                self.path = path.number
                signers = path.terms.groups.map { group in
                    Signers(threshold: group.threshold, keys: group.keys.map(\.text))
                }
                choice = path.terms.choiceText
                (older, after) = (path.terms.older, path.terms.after)
                preimages = path.terms.preimages.map(\.text)
            }
        }

        /// With checksums.
        let descriptors: [String]
        /// One for each branch, for programs that do not know BIP-389.
        let branches: [Branch]
        /// The descriptors with `@0`, `@1`, … for the keys (BIP-388).
        let templates: [String]
        let keys: [Key]
        let paths: [Path]

        init(_ wallet: WatchWallet) {
            descriptors = wallet.descriptors.compactMap(\.text)
            branches = wallet.branches.compactMap { branch in
                wallet.descriptors[branch.descriptor].branches[branch.number].text.map { text in
                    Branch(
                        descriptor: text, change: branch.isChange,
                        firstAddress: (try? wallet.address(at: branch.place(0)))?.description)
                }
            }
            templates = wallet.policyTemplates
            keys = wallet.shownKeys.map { key in
                Key(
                    fingerprint: key.origin?.fingerprint.description, path: key.origin?.path.description, key: key.text)
            }
            paths = KitPath.all(of: wallet).map { Path($0) }
        }
    }

    struct Card: Encodable {
        struct Backup: Encodable {
            let sha256: String
            let created: Int64
        }

        let fingerprint: String
        let ident: String
        let name: String?
        let product: String
        /// The encrypted backups that the store knows, newest first.
        let backups: [Backup]
        /// The paths of those of the wallet's keys that the card has proven to have.
        let provenPaths: [String]

        init(_ card: WalletKit.Card) {
            fingerprint = card.fingerprint.description
            ident = card.ident.description
            name = card.name
            product = card.product.rawValue
            backups = card.backups.map { Backup(sha256: Hex.encode($0.digest), created: $0.created.seconds) }
            provenPaths = Set(card.provenKeys.compactMap { $0.origin?.path.description }).sorted()
        }
    }

    struct Opening: Encodable {
        let path: Int
        let coins: Int
        let openCoins: Int
        let nextHeight: Int?
        let nextAt: String?
    }

    struct File: Encodable {
        let name: String
        let sha256: String
    }

    let format = Self.format
    let version: Int64
    let name: String
    let network: String
    let written: Int64
    let writtenAt: String
    let wallet: Derived
    let cards: [Card]
    /// The height of the chain when `openings` was true; absent if no chain server was ever asked.
    let height: Int?
    /// When the chain server was asked.
    let synced: Int64?
    let syncedAt: String?
    let openings: [Opening]
    /// How many unused addresses in a row to search; absent if the usual 20 are enough.
    let gapLimit: Int?
    /// How many it would take to find every coin for certain; absent if `gap_limit` does.
    let neededGapLimit: Int?
    /// How many addresses of each branch `core.json` has Bitcoin Core watch; absent in version 1: 1000.
    let addressCount: Int?
    /// The kit's other files.
    let files: [File]

    init(_ kit: WalletKit, files: [KitFile]) {
        name = kit.wallet.name
        network = kit.wallet.network.rawValue
        written = kit.written.seconds
        writtenAt = kit.written.iso8601
        wallet = Derived(kit.wallet)
        cards = kit.cards.map(Card.init)
        height = kit.clock?.height
        (synced, syncedAt) = (kit.clock?.time.seconds, kit.clock?.time.iso8601)
        openings = kit.openings.map { number, opening in
            Opening(
                path: number, coins: opening.coins, openCoins: opening.openCoins, nextHeight: opening.next?.block,
                nextAt: opening.next?.time?.iso8601)
        }
        (gapLimit, neededGapLimit) = (kit.gapLimit, kit.excessiveGapLimit)
        addressCount = kit.addressCount == CoreExport.addressCounts.lowerBound ? nil : kit.addressCount
        version = addressCount == nil ? 1 : Self.newestVersion
        self.files = files.map { File(name: $0.name.rawValue, sha256: Hex.encode(SHA256.hash($0.bytes))) }
    }
}
