/// What is known about a signed message.
public struct MessageVerdict: Equatable, Sendable {
    /// The three states of BIP-322.
    public enum Outcome: Equatable, Sendable {
        /// The signature is by the address's owner, and counts once the locks have expired.
        case valid(MessageProof)
        /// Some check failed.
        case invalid(MessageFault)
        /// It cannot be judged by today's rules, or from what the signature contains.
        case inconclusive(MessageFault)
    }

    /// The signature's format; `nil` when the text has none.
    public let format: MessageSignatureFormat?
    /// The result.
    public let outcome: Outcome

    init(format: MessageSignatureFormat?, outcome: Outcome) {
        self.format = format
        self.outcome = outcome
    }

    /// What is proven; `nil` unless valid. Check its locks and funds before relying on more.
    public var proof: MessageProof? {
        if case .valid(let proof) = outcome { proof } else { nil }
    }

    /// Whether the signature is valid, now or at a later time.
    public var isValid: Bool { proof != nil }
}

/// What a valid signature proves.
public struct MessageProof: Hashable, Sendable {
    /// The locks that the signer set: the signature is valid at this time and age.
    public let locks: MessageLocks
    /// The outputs that a proof of funds covers, as it claims them. Only the chain shows whether they exist and are
    /// unspent.
    public let funds: [ClaimedOutput]
    /// The key that BIP-137 recovered; `nil` in BIP-322.
    public let publicKey: PublicKey?
    /// Whether a BIP-137 header says P2PKH although the address is the same key's in another form, as Electrum writes it.
    public let hasP2PKHHeader: Bool

    init(
        locks: MessageLocks = .none, funds: [ClaimedOutput] = [], publicKey: PublicKey? = nil,
        hasP2PKHHeader: Bool = false
    ) {
        self.locks = locks
        self.funds = funds
        self.publicKey = publicKey
        self.hasP2PKHHeader = hasP2PKHHeader
    }
}

/// An output that a proof of funds spends in its virtual transaction.
public struct ClaimedOutput: Hashable, Sendable {
    /// The claimed outpoint.
    public let outpoint: Outpoint
    /// Amount and script, as the proof claims them.
    public let output: TransactionOutput
    /// Whether the proof includes the outpoint's whole transaction, so that amount and script are certain if that
    /// transaction is in the chain.
    public let hasPreviousTransaction: Bool

    init(outpoint: Outpoint, output: TransactionOutput, hasPreviousTransaction: Bool) {
        self.outpoint = outpoint
        self.output = output
        self.hasPreviousTransaction = hasPreviousTransaction
    }
}
