import Bitcoin
import FrontEndText
import TapManager
import TextLayout

extension QuestionText {
    /// Asks whether to make a wallet of a policy, with its risks and all that it says. Without a terminal it is shown, and the
    /// wallet made.
    /// - Parameter paths: the wallet's, with what people call their keys.
    init(
        _ request: PolicyRequest, _ policy: TemplatePolicy, _ wallet: WatchWallet, paths: [WalletSpendingPath]
    ) {
        lines = [
            "Wallet “\(TerminalText.neutralized(wallet.name))” (\(wallet.network)), policy \(request.template.rawValue):"
        ]
        lines += wallet.policyTemplates.map { "  \($0)" }
        lines.append("Keys:")
        lines += (request.holders + request.laterHolders).map { "  \($0.line)" }
        for holder in request.holders + request.laterHolders
        where MultisigAccount.isForSingleKey(holder.key.origin.path) {
            lines.append(
                "The key of \(holder.key.origin.fingerprint) is at a path for single-key wallets; other programs look for "
                    + "keys of policies elsewhere (BIP-48).")
        }
        lines.append("Spending paths:")
        lines += paths.map { "  \($0.number)  \($0.words)" }
        lines.append("The later path opens to a coin that has not moved for \(policy.wait).")
        if let address = wallet.firstAddress { lines.append("First address: \(address)") }
        lines.append("Risks: \(request.template.risks)")
        question = "Make this wallet?"
        occasion = .onTerminalOnly
    }
}
