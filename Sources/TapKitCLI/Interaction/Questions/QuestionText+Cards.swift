import Bitcoin
import TapManager

extension QuestionText {
    /// Whether a card that is ready is changed.
    init(changing card: CardAtHand, to path: DerivationPath?, changesCVC: Bool) {
        let present = card.status.path.map { ", at path \($0)" } ?? ""
        lines = ["\(card.title) is set up already\(present)."]
        let changes = [path.map { "moves it to \($0)" }, changesCVC ? "gives it another CVC" : nil].compactMap(\.self)
        lines.append("This \(changes.joined(separator: " and ")).")
        question = "Continue?"
        occasion = .onTerminalOnly
    }

    /// Whether accounts of one key become part of a wallet of several.
    init(sharing cards: [CardAtHand]) {
        let isTestnet = cards.contains(where: \.status.isTestnet)
        lines =
            ["Programs look for wallets of one key at these paths, and for keys of a multisig elsewhere:"]
            + cards.map { "  \($0.title) at \($0.status.path?.description ?? "m")" }
            + [
                "The usual path is \(MultisigAccount.usualPath(isTestnet: isTestnet)) (BIP-48): tapkit derive moves a card there."
            ]
        question = "Make the multisig wallet of these keys anyway?"
        occasion = .onTerminalOnly
    }
}
