import TapManager
import TapProtocol

/// A card and the way to it for flows, whose progress people see.
struct WatchedCard: Sendable {
    /// The card and its reader.
    let access: CardAtHand
    /// Whose flows they are.
    let manager: CardManager
    /// The way to the card.
    let gate: CardGate
    /// Shows what the flows do.
    let progress: ProgressLine

    /// - Parameter manager: over the local store for verbs that change a card or a transaction, else over nothing that
    ///   stays.
    init(_ access: CardAtHand, _ options: GlobalOptions, _ manager: CardManager) {
        self.access = access
        self.manager = manager
        gate = manager.gate(to: access)
        progress = ProgressLine(options, of: manager, with: access.status.ident)
    }

    /// Whether the card is known to be simulated, by how it was asked for or by who certified it.
    var isSimulated: Bool { access.isSimulated || progress.hasSeenSimulator }
}
