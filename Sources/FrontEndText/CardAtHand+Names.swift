import TapManager
import TapProtocol

extension CardAtHand {
    /// The card's name for people.
    package var label: String { ident.description + (isSimulated ? " (SIMULATED)" : "") }

    /// The same with its product.
    package var title: String { "\(status.product.displayName) \(label)" }
}
