import ExplainedErrors
import SmartCard
import TapProtocol

/// Everything that a manager knows without asking a card, a chain server or the user, at one moment.
///
/// Always available: what cannot be read is left out, and `problems` shows why.
public struct ManagerSnapshot: Sendable {
    /// The readers that are attached.
    public let readers: [Reader]
    /// The cards that the store remembers, most recently seen first; then other cards with unfinished flows.
    public let cards: [Card]
    /// All wallets, by name.
    public let wallets: [Wallet]
    /// The stored transactions, newest first.
    public let transactions: [TransactionSummary]
    /// Why something is missing here.
    public let problems: [any ExplainedError]

    /// A reader, and what is known to be on it.
    public struct Reader: Sendable, Hashable {
        /// The name by which it is selected.
        public let spec: String
        /// The reader's name for people.
        public let name: String
        /// What drives it.
        package let kind: ReaderKind
        /// Whether a card is on it; `nil` while nobody watches the readers.
        public let isOccupied: Bool?
        /// The card that was last found there, unless it is known to have been removed.
        public let card: SeenCard?
    }

    /// A card that the store remembers, or that has unfinished flows.
    public struct Card: Sendable, Equatable {
        /// The card's ident, also printed on its back.
        public let ident: CardIdent
        /// Whether this process knows it to be simulated: it has seen the card on a reader since it started.
        public let isSimulated: Bool
        /// What is remembered about it; `nil`: nothing but a flow.
        public let record: CardRecord?
        /// Its unfinished flows, most recently started first, including one that is running now.
        public let unfinished: [UnfinishedFlow]
        /// What a flow of this process last did with it; `nil` if none ran.
        package let lastEvent: FlowEvent?
    }

    /// A wallet, with what is known about its money without asking anyone.
    public struct Wallet: Sendable, Hashable {
        /// Name, network, descriptors.
        public let stored: StoredWallet
        /// A chain server's last answer about it; `nil` if none was asked yet.
        public let synchronization: WalletSynchronization?
    }
}
