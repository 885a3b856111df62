import TapManager
import TextLayout

extension CoinsLeftBehind {
    /// That not everything is paid, and why.
    var words: String {
        let reasons = [
            (taken, "in another stored transaction"), (frozen, "frozen by a label"),
            (unconfirmed, "unconfirmed"),
            (others, "too young to be spent, or not worth their fee"),
        ]
        let told = reasons.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: "; ")
        return "WARNING: Not everything is sent: \(count.counted("coin")) with \(amount.satoshis) sat "
            + "\(count == 1 ? "stays" : "stay") in the wallet: \(told)."
    }
}
