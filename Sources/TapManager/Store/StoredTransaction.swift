import Bitcoin

/// How far a stored transaction has come. The raw value is what the store and `--json` say.
public enum TransactionState: String, Sendable, Hashable, CaseIterable {
    /// Nobody has signed.
    case unsigned
    /// Some signatures are there, others missing.
    case partial
    /// Every signature is there.
    case complete
    /// A chain server took it.
    case sent
    /// It is in a block, says a chain server.
    case confirmed
    /// Another transaction, which is in a block, spends one of its coins, says a chain server: it can no longer be sent.
    case replaced
}

/// A transaction that is kept until it is sent or deleted.
public struct StoredTransaction: Sendable {
    /// The unsigned transaction's id, by which PSBTs of the same transaction are recognized.
    public var id: TransactionID { psbt.unsignedTransaction.id }
    /// The PSBT with every signature that the store has, not finalized unless it came so.
    public var psbt: PSBT
    /// The network it is for, where that is known.
    package var network: Network?
    /// The wallet it belongs to, by name.
    package var wallet: String?
    /// What the person noted; empty: nothing.
    package var note: String
    /// When it was stored first.
    package let created: UnixTime
    /// When it was changed last.
    package var updated: UnixTime
    /// When a chain server took it; `nil`: not sent yet.
    package var sent: UnixTime?
    /// Whether its only output takes all that its coins are worth, less the fee: a sweep, or a wallet that was drained.
    package var drains: Bool
    /// Where it stands in the chain; `nil`: in no block, and nothing in a block excludes it, as far as is known.
    package var standing: ChainStanding?

    /// - Parameters:
    ///   - network: `nil` while nothing says which.
    ///   - wallet: the name of the wallet that it spends from; `nil`: none that is known.
    ///   - sent: when a server took it; `nil`: not yet.
    ///   - drains: whether its only output takes all that its coins are worth, less the fee.
    ///   - standing: where it stands in the chain; `nil`: nowhere yet.
    package init(
        psbt: PSBT, network: Network? = nil, wallet: String? = nil, note: String = "", created: UnixTime,
        updated: UnixTime, sent: UnixTime? = nil, drains: Bool = false, standing: ChainStanding? = nil
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
    }

    /// What lists show of it.
    public var summary: TransactionSummary { summary(SignatureTally(psbt)) }

    /// What lists show of it, with the signatures counted already.
    func summary(_ tally: SignatureTally) -> TransactionSummary {
        let outputs = Amount.sum(psbt.unsignedTransaction.outputs.compactMap(\.amount))
        return TransactionSummary(
            id: id, network: network, wallet: wallet, note: note, amount: outputs, fee: psbt.claimedFee,
            signedBy: tally.signedBy, missing: tally.missing, isComplete: tally.isComplete, created: created,
            updated: updated, sent: sent, standing: standing)
    }
}

/// A signature as the store takes it, the moment it is verified.
package struct StoredSignature: Sendable, Hashable {
    /// The input's number, from 0.
    package let inputIndex: Int
    /// What was signed, and by which key.
    package let signature: PartialSignature
    /// The master fingerprint of the signer.
    package let signer: Fingerprint

    /// Nothing is verified here.
    /// - Parameter signer: the fingerprint of the master key that it was made under.
    package init(inputIndex: Int, signature: PartialSignature, signer: Fingerprint) {
        self.inputIndex = inputIndex
        self.signature = signature
        self.signer = signer
    }
}
