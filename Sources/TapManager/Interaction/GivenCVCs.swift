import TapProtocol

/// CVCs that a program was given before it knew which cards it needs them for, as in a file.
package protocol GivenCVCs: Sendable {
    /// The CVC of a card; `nil`: there is none.
    func cvc(of card: CardIdent) -> CVC?

    /// Whether there is a CVC for this card, not only one for any card.
    func names(_ card: CardIdent) -> Bool
}

extension GivenCVCs {
    /// Whether a card's CVC is only the one for any card (``Interaction/hasOnlyGeneralCVC(for:)``).
    package func isGeneral(for card: CardIdent) -> Bool { !names(card) && cvc(of: card) != nil }
}
