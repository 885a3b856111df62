import ExplainedErrors
import SmartCard
import TapProtocol

/// Everything that a manager can tell without asking a card, a chain server or a person, at one moment.
///
/// Always to be had: what cannot be read is left out, and `problems` says why.
public struct ManagerSnapshot: Sendable {
    /// The readers that are attached.
    public let readers: [Reader]
    /// The cards that the store knows, the one seen last first; then those with unfinished flows that it does not remember.
    public let cards: [Card]
    /// All wallets, by name.
    public let wallets: [Wallet]
    /// The stored transactions, newest first.
    public let transactions: [TransactionSummary]
    /// Why something is missing here.
    public let problems: [any ExplainedError]

    /// A reader, and what is known to lie on it.
    public struct Reader: Sendable, Hashable {
        /// The name that it is asked for with.
        public let spec: String
        /// The reader's name for people.
        public let name: String
        /// What drives it.
        package let kind: ReaderKind
        /// Whether a card lies on it; `nil` while nobody watches the readers.
        public let isOccupied: Bool?
        /// The card that was found there last, unless it is known to have been removed.
        public let card: SeenCard?
    }

    /// A card that the store knows, or with which something was begun.
    public struct Card: Sendable, Equatable {
        /// What the card is called, on its back too.
        public let ident: CardIdent
        /// Whether this process knows it to be simulated: it has seen it on a reader since it began.
        public let isSimulated: Bool
        /// What is remembered of it; `nil`: nothing but a flow.
        public let record: CardRecord?
        /// What was begun with it and not brought to its end, the flow begun last first; one that runs now stands here, too.
        public let unfinished: [UnfinishedFlow]
        /// What a flow of this process did last with it; `nil` when none ran.
        public let lastEvent: FlowEvent?
    }

    /// A wallet, with what is known of its money without asking anybody.
    public struct Wallet: Sendable, Hashable {
        /// Name, network, descriptors.
        public let stored: StoredWallet
        /// What a chain server said of it last; `nil` when none was asked yet.
        public let synchronization: WalletSynchronization?
    }
}
