import Bitcoin
import SmartCard
import Synchronization
import TapProtocol

/// Which cards this process knows to be simulated: by their reader, or by the factory that certified them.
///
/// The program decides which factories make simulated cards. This only marks cards, and decides nothing: such a card is
/// used only if its root is accepted, like any other card that is not genuine.
final class SimulatedCards: Sendable {
    private let roots: [PublicKey]
    private let known = Mutex<Set<CardIdent>>([])

    /// - Parameter roots: those of the factories that make simulated cards.
    init(roots: [PublicKey] = []) { self.roots = roots }

    /// Whether to read the certificates of a card on this reader to find out what it is.
    func mustAsk(on reader: any CardReader) -> Bool { !roots.isEmpty && reader.kind != .sim }

    /// A flow found a different card than its own, and asks it only for this.
    func met(_ session: TapSession) {
        guard !roots.isEmpty, let root = try? session.claimedRoot(), roots.contains(root) else { return }
        _ = known.withLock { $0.insert(session.status.ident) }
    }

    /// A card was found on a reader, and its certificates lead to this root; `nil`: they were not read.
    func found(_ card: CardIdent, on reader: any CardReader, certifiedBy root: PublicKey?) {
        guard reader.kind == .sim || root.map(roots.contains) == true else { return }
        _ = known.withLock { $0.insert(card) }
    }

    /// A card was proven.
    /// - Returns: whether it is known to be simulated.
    func proved(_ card: CardIdent, _ verdict: CertificateVerdict) -> Bool {
        known.withLock { known in
            if let root = verdict.root, roots.contains(root) { known.insert(card) }
            return known.contains(card)
        }
    }

    /// Whether a card is known to be simulated.
    func contains(_ card: CardIdent) -> Bool { known.withLock { $0.contains(card) } }
}

extension CardIdent {
    /// The card as shown to people: its ident, the name that they gave it, and always the word for a simulated one.
    package func label(name: String?, isSimulated: Bool) -> String {
        called(name) + (isSimulated ? " (SIMULATED)" : "")
    }
}
