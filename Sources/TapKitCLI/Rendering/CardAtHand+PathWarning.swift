import Bitcoin
import TapManager

extension CardAtHand {
    /// The warning about a path of another network than the card's, before the card is moved there; `nil`: it fits.
    func warning(about path: DerivationPath) -> String? {
        guard let usual = usualPath(insteadOf: path) else { return nil }
        let (paths, card) =
            status.isTestnet ? ("bitcoin", "the test networks") : ("the test networks", "bitcoin, with real money")
        return
            "WARNING: \(path) is a path for \(paths), but this card is for \(card). Other programs look for its money "
            + "at \(usual), and may not find what is paid to this path."
    }
}
