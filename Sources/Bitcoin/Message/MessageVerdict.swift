/// What is known about a signed message.
public struct MessageVerdict: Equatable, Sendable {
    /// The three states of BIP-322.
    public enum Outcome: Equatable, Sendable {
        /// The signature is the address owner's, once the locks have run out.
        case valid(MessageProof)
        /// Some check failed.
        case invalid(MessageFault)
        /// Nobody can tell with today's rules, or with what the signature says.
        case inconclusive(MessageFault)
    }

    /// The signature's format; `nil` when the text has none.
    public let format: MessageSignatureFormat?
    /// What came of it.
    public let outcome: Outcome

    init(format: MessageSignatureFormat?, outcome: Outcome) {
        self.format = format
        self.outcome = outcome
    }

    /// What is proven; `nil` unless valid. Look at its locks and funds before believing more than it says.
    public var proof: MessageProof? {
        if case .valid(let proof) = outcome { proof } else { nil }
    }

    /// Whether the signature is valid, be it only at a later time.
    public var isValid: Bool { proof != nil }
}

/// What a valid signature proves.
public struct MessageProof: Hashable, Sendable {
    /// The locks that the signer set: the signature is valid at this time and age.
    public let locks: MessageLocks
    /// The outputs that a proof of funds is about, as it claims them. Whether they exist and are unspent, only the chain
    /// knows.
    public let funds: [ClaimedOutput]
    /// The key that BIP-137 recovered; `nil` in BIP-322.
    public let publicKey: PublicKey?
    /// Whether a BIP-137 header says P2PKH where the address is another of the same key, as Electrum has it.
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
    /// Where the output is said to be.
    public let outpoint: Outpoint
    /// Amount and script, as the proof claims them.
    public let output: TransactionOutput
    /// Whether the proof has the whole transaction of the outpoint, so that amount and script are certain if the
    /// transaction is in the chain.
    public let hasPreviousTransaction: Bool

    init(outpoint: Outpoint, output: TransactionOutput, hasPreviousTransaction: Bool) {
        self.outpoint = outpoint
        self.output = output
        self.hasPreviousTransaction = hasPreviousTransaction
    }
}
