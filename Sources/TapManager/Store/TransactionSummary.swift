import Bitcoin

/// What lists show of a stored transaction, without reading its PSBT.
public struct TransactionSummary: Sendable, Hashable {
    /// The unsigned transaction's id.
    public let id: TransactionID
    /// The network it is for, where that is known.
    public let network: Network?
    /// The wallet it belongs to, by name.
    public let wallet: String?
    /// What the person noted; empty: nothing.
    public let note: String
    /// What all outputs together pay; `nil` when they are more money than there is.
    public let amount: Amount?
    /// What the PSBT claims as fee; `nil` where it does not tell all amounts.
    public let fee: Amount?
    /// The master fingerprints of those who have signed an input, in ascending order.
    public let signedBy: [Fingerprint]
    /// How many signatures are missing; those of scripts that are not understood do not count.
    public let missing: Int
    /// Whether every signature is there.
    package let isComplete: Bool
    /// When it was stored first.
    public let created: UnixTime
    /// When it was changed last.
    package let updated: UnixTime
    /// When a chain server took it; `nil`: not sent yet.
    public let sent: UnixTime?
    /// Where it stands in the chain; `nil`: in no block, and nothing in a block excludes it, as far as is known.
    package let standing: ChainStanding?

    init(
        id: TransactionID, network: Network?, wallet: String?, note: String, amount: Amount?, fee: Amount?,
        signedBy: [Fingerprint], missing: Int, isComplete: Bool, created: UnixTime, updated: UnixTime,
        sent: UnixTime? = nil, standing: ChainStanding? = nil
    ) {
        self.id = id
        self.network = network
        self.wallet = wallet
        self.note = note
        self.amount = amount
        self.fee = fee
        self.signedBy = signedBy
        self.missing = missing
        self.isComplete = isComplete
        self.created = created
        self.updated = updated
        self.sent = sent
        self.standing = standing
    }

    /// In how many blocks it is confirmed; 0 while it is in none, and for one that was replaced.
    package var confirmations: Int { standing.map { $0.replacedBy == nil ? $0.confirmations : 0 } ?? 0 }

    /// How far it has come.
    public var state: TransactionState {
        if let standing { return standing.replacedBy == nil ? .confirmed : .replaced }
        return sent != nil ? .sent : isComplete ? .complete : signedBy.isEmpty ? .unsigned : .partial
    }
}
