import Bitcoin

/// A stored transaction and what can be told of it without a card.
public struct StoredTransactionReview: Sendable {
    /// What it is about, as it is stored.
    package let transaction: StoredTransaction
    /// Whose addresses are shown.
    package let network: Network
    /// What it spends and pays; `nil` when an amount is unknown.
    public let review: TransactionReview?
    /// What speaks against it, refusals included, and what is worth knowing.
    public let findings: [Finding]
    /// Who has signed, and who can.
    public let tally: SignatureTally
}

extension StoredTransaction {
    /// The network that a transaction is shown for, and sent to.
    /// - Parameter asked: the one that was asked for; `nil`: what the store or the PSBT's paths say, else bitcoin.
    package func network(asked: Network?) -> Network { asked ?? network ?? psbt.likelyNetwork ?? .main }
}

extension PSBT {
    /// What the coin type in its keys' paths says.
    ///
    /// Spec: BIP-44, "Coin type".
    fileprivate var likelyNetwork: Network? {
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
