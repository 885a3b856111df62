import TapManager
import TextLayout

extension TransactionReview.Evidence {
    /// Its name in answers: `keys`, the signer's keys, which prove what comes back; `wallet`, the descriptors of a stored
    /// wallet; `slots`, a sweep without change; `nothing`, so that the file only claims it. The names do not change.
    var code: String {
        switch self {
        case .nothing: "nothing"
        case .keys: "keys"
        case .wallet: "wallet"
        case .slots: "slots"
        }
    }

    /// The name of the wallet whose descriptors it is; `nil`: it is something else.
    var wallet: String? {
        guard case .wallet(let name) = self else { return nil }
        return TerminalText.neutralized(name)
    }
}
