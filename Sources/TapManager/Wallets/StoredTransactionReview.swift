import Bitcoin

/// A stored transaction and what is known about it without a card.
public struct StoredTransactionReview: Sendable {
    /// The PSBT with its wallet, note and times; for a PSBT that is only reviewed, what the store has about the same
    /// transaction, or nothing.
    package let transaction: StoredTransaction
    /// The network whose address form is used.
    package let network: Network
    /// What it spends and pays; `nil` if an amount is unknown.
    public let review: TransactionReview?
    /// All findings, including refusals.
    public package(set) var findings: [Finding]
    /// Who has signed, and who can.
    package let tally: SignatureTally
    /// How many of the signatures are only in the store, not in the PSBT under review.
    package let storedSignatures: Int
    /// The warnings of what can lose money that nobody is known to have accepted, because no card of this store signed
    /// or, if payees are already paid, because none signed for this store. Set when it is to be sent (`Question.send`);
    /// empty otherwise.
    package var unacceptedFindings: [Finding] = []
}

extension StoredTransaction {
    /// The network that a transaction is shown for, and sent to.
    /// - Parameter asked: the requested one; `nil`: the one from the store or the PSBT's paths, else bitcoin.
    package func network(asked: Network?) -> Network { asked ?? network ?? psbt.likelyNetwork ?? .main }
}

extension PSBT {
    /// The network by the coin type in its keys' paths.
    ///
    /// Spec: BIP-44, "Coin type".
    var likelyNetwork: Network? {
        let paths =
            inputs.flatMap { $0.derivations.map(\.path) } + outputs.flatMap { $0.derivations.map(\.path) }
        guard let coin = paths.lazy.compactMap(\.coinType).first else { return nil }
        switch coin {
        case 0: return .main
        case 1: return .test
        default: return nil
        }
    }
}
