import TapManager
import TapProtocol

extension CardAtHand {
    /// The card's ident for people, with the name that they gave it.
    package var label: String { called + (isSimulated ? " (SIMULATED)" : "") }

    /// The same with its product.
    package var title: String { "\(status.product.displayName) \(label)" }
}
