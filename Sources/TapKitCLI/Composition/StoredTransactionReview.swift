import Bitcoin
import TapManager

/// A stored transaction and what can be told of it without a key.
struct StoredTransactionReview {
    let transaction: StoredTransaction
    /// Whose addresses are shown.
    let network: Network
    /// `nil` when an amount is unknown.
    let review: TransactionReview?
    /// What speaks against it, refusals included, and what is worth knowing.
    let findings: [Finding]
    /// Who has signed, and who can.
    let tally: SignatureTally
    /// Whether a wallet was there to tell inputs and change from those of others.
    private let isOwnerKnown: Bool

    /// - Parameter asked: the network that was asked for; `nil`: what the store or the PSBT's paths say, else bitcoin.
    /// - Parameter wallet: whose change is recognized; `nil`: nobody's.
    init(_ transaction: StoredTransaction, network asked: Network?, wallet: WatchWallet? = nil) {
        self.transaction = transaction
        network = asked ?? transaction.network ?? transaction.psbt.likelyNetwork ?? .main
        (review, findings) = SigningPlanner(psbt: transaction.psbt, network: network).review(wallet: wallet)
        tally = SignatureTally(transaction.psbt)
        isOwnerKnown = wallet != nil
    }

    /// For people.
    func lines(now: UnixTime) -> [String] {
        var lines = TransactionLine(transaction.summary, now: now).lines
        if let review { lines += ReviewText(review, findings: findings, isOwnerKnown: isOwnerKnown).lines }
        lines += FindingText.lines(findings.filter { $0.severity == .refusal }).map {
            "REFUSED by every signing: \($0)"
        }
        if tally.missing > 0 {
            let others = tally.canSign.map(\.description).joined(separator: ", ")
            lines.append("Missing: \(tally.missing) signature\(tally.missing == 1 ? "" : "s"), by \(others)")
        }
        return lines
    }
}

extension PSBT {
    /// What the coin type in its keys' paths says.
    ///
    /// Spec: BIP-44, "Coin type".
    var likelyNetwork: Network? {
        let paths = inputs.lazy.flatMap(\.derivations).map(\.path) + outputs.lazy.flatMap(\.derivations).map(\.path)
        guard let coin = paths.lazy.compactMap({ $0.steps.dropFirst().first }).first(where: \.isHardened) else {
            return nil
        }
        switch coin.index {
        case 0: return .main
        case 1: return .test
        default: return nil
        }
    }
}
