import Bitcoin
import SmartCard
import Synchronization
import TapProtocol

/// Which cards this process knows to be simulated: by the reader that they lie on, or by the factory that certified them.
///
/// Which factories make simulated cards is for whoever composes the program to say. The word is said, and nothing is decided by it:
/// such a card is used only where somebody accepts its root, as any other that is not genuine.
final class SimulatedCards: Sendable {
    private let roots: [PublicKey]
    private let known = Mutex<Set<CardIdent>>([])

    /// - Parameter roots: those of the factories that make simulated cards.
    init(roots: [PublicKey] = []) { self.roots = roots }

    /// Whether certificates are to be asked for to find out what a card on this reader is.
    func mustAsk(on reader: any CardReader) -> Bool { !roots.isEmpty && reader.kind != .sim }

    /// Another card than the one that is meant was found by a flow, which asks it for nothing but this.
    func met(_ session: TapSession) {
        guard !roots.isEmpty, let root = try? session.claimedRoot(), roots.contains(root) else { return }
        _ = known.withLock { $0.insert(session.status.ident) }
    }

    /// A card was found on a reader, and its certificates lead to this root; `nil`: nobody asked for them.
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
    /// What people call a card: its ident, the name that they gave it, and, for a simulated one, always that word.
    package func label(name: String?, isSimulated: Bool) -> String {
        called(name) + (isSimulated ? " (SIMULATED)" : "")
    }
}
