import Bitcoin

/// The state of a stored transaction. The raw value is used in the store and in `--json`.
public enum TransactionState: String, Sendable, Hashable, CaseIterable {
    /// Nobody has signed.
    case unsigned
    /// Some signatures exist, others are missing.
    case partial
    /// Every signature exists.
    case complete
    /// A chain server accepted it.
    case sent
    /// It is confirmed, according to a chain server.
    case confirmed
    /// A confirmed transaction spends one of its coins, according to a chain server: it can no longer be sent.
    case replaced
}

/// A transaction that is stored until it is deleted.
public struct StoredTransaction: Sendable, StoredSending {
    /// The unsigned transaction's id, which identifies PSBTs of the same transaction.
    public var id: TransactionID { psbt.unsignedTransaction.id }
    /// The PSBT with every signature that the store has, not finalized unless it was when it was stored.
    public var psbt: PSBT
    /// The network it is for, if known.
    package var network: Network?
    /// The wallet it belongs to, by name.
    package var wallet: String?
    /// The user's note; empty: none.
    package var note: String
    /// When it was first stored.
    package let created: UnixTime
    /// When it was last changed.
    package var updated: UnixTime
    /// When a chain server accepted it; `nil`: not sent yet.
    package var sent: UnixTime?
    /// When it was first given to a chain server, whatever that answered, or first reported by one; `nil`: not yet, as far
    /// as is known.
    package var offered: UnixTime?
    /// Whether its only output takes everything that its coins are worth, minus the fee: a sweep, or a drained wallet.
    package var drains: Bool
    /// Its state in the chain; `nil`: neither confirmed nor in conflict with a confirmed one, as far as is known.
    package var standing: ChainStanding?

    /// - Parameters:
    ///   - network: `nil` while it is unknown.
    ///   - wallet: the name of the wallet that it spends from; `nil`: none that is known.
    ///   - sent: when a server accepted it; `nil`: not yet.
    ///   - offered: when it was first given to a server; `nil`: not yet, as far as is known.
    ///   - drains: whether its only output takes everything that its coins are worth, minus the fee.
    ///   - standing: its state in the chain; `nil`: none yet.
    package init(
        psbt: PSBT, network: Network? = nil, wallet: String? = nil, note: String = "", created: UnixTime,
        updated: UnixTime, sent: UnixTime? = nil, offered: UnixTime? = nil, drains: Bool = false,
        standing: ChainStanding? = nil
    ) {
        self.drains = drains
        self.standing = standing
        self.psbt = psbt
        self.network = network
        self.wallet = wallet
        self.note = note
        self.created = created
        self.updated = updated
        self.sent = sent
        self.offered = offered
    }

    /// What lists show about it: network, wallet, note, times, sums and signatures. Counts the signatures anew, in time that
    /// grows with inputs and keys.
    public var summary: TransactionSummary { summary(SignatureTally(psbt)) }

    /// What lists show about it, for signatures that are counted already.
    func summary(_ tally: SignatureTally) -> TransactionSummary {
        let outputs = Amount.sum(psbt.unsignedTransaction.outputs.compactMap(\.amount))
        return TransactionSummary(
            id: id, network: network, wallet: wallet, note: note, amount: outputs, fee: psbt.claimedFee,
            signedBy: tally.signedBy, missing: tally.missing, isComplete: tally.isComplete, created: created,
            updated: updated, sent: sent, offered: offered, standing: standing)
    }
}

/// A signature to store as soon as it is verified.
package struct StoredSignature: Sendable, Hashable {
    /// The input's index, from 0.
    package let inputIndex: Int
    /// What was signed, and by which key.
    package let signature: PartialSignature
    /// The master fingerprint of the signer.
    package let signer: Fingerprint
    /// Whether the PSBT names the signer for the key, and lists show who has signed. It names nobody for a slot's key.
    package let isNamed: Bool

    /// Verifies nothing.
    /// - Parameters:
    ///   - signer: the fingerprint of the master key that it was made with.
    ///   - isNamed: whether the PSBT says so, too.
    package init(inputIndex: Int, signature: PartialSignature, signer: Fingerprint, isNamed: Bool = true) {
        self.inputIndex = inputIndex
        self.signature = signature
        self.signer = signer
        self.isNamed = isNamed
    }
}
