import Bitcoin

/// What lists show about a stored transaction, without reading its PSBT.
public struct TransactionSummary: Sendable, Hashable, StoredSending {
    /// The unsigned transaction's id.
    public let id: TransactionID
    /// The network it is for, if known.
    public let network: Network?
    /// The wallet it belongs to, by name.
    public let wallet: String?
    /// The user's note; empty: none.
    public let note: String
    /// The sum of all outputs; `nil` if it is more money than there is.
    public let amount: Amount?
    /// The fee that the PSBT claims; `nil` if it does not have all amounts.
    public let fee: Amount?
    /// The master fingerprints of those who have signed an input, in ascending order.
    public let signedBy: [Fingerprint]
    /// How many signatures are missing; those of unknown scripts do not count.
    public let missing: Int
    /// Whether every signature exists.
    package let isComplete: Bool
    /// When it was first stored.
    public let created: UnixTime
    /// When it was last changed.
    package let updated: UnixTime
    /// When a chain server accepted it; `nil`: not sent yet.
    public let sent: UnixTime?
    /// When it was first given to a chain server, whatever that answered, or first reported by one; `nil`: not yet, as far
    /// as is known.
    package let offered: UnixTime?
    /// Its state in the chain; `nil`: neither confirmed nor in conflict with a confirmed one, as far as is known.
    package let standing: ChainStanding?

    init(
        id: TransactionID, network: Network?, wallet: String?, note: String, amount: Amount?, fee: Amount?,
        signedBy: [Fingerprint], missing: Int, isComplete: Bool, created: UnixTime, updated: UnixTime,
        sent: UnixTime? = nil, offered: UnixTime? = nil, standing: ChainStanding? = nil
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
        self.offered = offered
        self.standing = standing
    }

    /// Its number of confirmations; 0 while it is not in a block, and for one that was replaced.
    package var confirmations: Int { standing.map { $0.replacedBy == nil ? $0.confirmations : 0 } ?? 0 }

    /// How far it is signed, and what became of it on the chain.
    public var state: TransactionState {
        if let standing { return standing.replacedBy == nil ? .confirmed : .replaced }
        return sent != nil ? .sent : isComplete ? .complete : signedBy.isEmpty ? .unsigned : .partial
    }
}
