import Bitcoin
import TapManager

extension QuestionText {
    /// Asks whether to change a card that is already set up.
    init(changing card: CardAtHand, to path: DerivationPath?, changesCVC: Bool) {
        let present = card.status.path.map { ", at path \($0)" } ?? ""
        lines = ["\(card.title) is already set up\(present)."]
        let changes = [path.map { "move it to \($0)" }, changesCVC ? "change its CVC" : nil].compactMap(\.self)
        lines.append("This will \(changes.joined(separator: " and ")).")
        question = "Continue?"
        occasion = .onTerminalOnly
    }

    /// Asks whether to use single-key accounts in a multisig wallet.
    init(sharing cards: [CardAtHand]) {
        let isTestnet = cards.contains(where: \.status.isTestnet)
        lines =
            ["These paths are for single-key wallets; other programs look for multisig keys elsewhere:"]
            + cards.map { "  \($0.title) at \($0.status.path?.description ?? "m")" }
            + [
                "The usual path is \(MultisigAccount.usualPath(isTestnet: isTestnet)) (BIP-48). Move a card there with tapkit derive."
            ]
        question = "Make the multisig wallet with these keys anyway?"
        occasion = .onTerminalOnly
    }

    /// Asks whether to make a single-key wallet at a cosigner's path.
    init(using card: CardAtHand, at path: DerivationPath) {
        lines = [
            "\(card.title) is at \(path), a path for cosigners: other wallets do not look there for a single-key wallet.",
            "For a multisig wallet, give its coordinator the card's key, with tapkit export cosigner, or use --threshold. "
                + "For a single-key wallet, move the card first, with tapkit derive.",
        ]
        question = "Make a single-key wallet at this path anyway?"
        occasion = .onTerminalOnly
    }
}
