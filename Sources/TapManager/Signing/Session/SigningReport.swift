import Bitcoin
import TapProtocol

/// How a signing ended, whoever signed.
public struct SigningReport: Sendable {
    /// A card that signed.
    public struct Signer: Sendable, Equatable {
        /// What the card is called.
        public let card: CardIdent
        /// The master key's fingerprint; `nil` for a SATSCARD, which has none.
        public let fingerprint: Fingerprint?
        /// How many signatures it made.
        public let signed: Int
        /// Whether the card is known to be simulated.
        package let isSimulated: Bool
        /// The slots that signed; `nil` but for a SATSCARD.
        package let slots: [SlotNumber]?

        /// A card that signed.
        package init(_ card: CardAtHand, fingerprint: Fingerprint?, signed: Int, slots: [SlotNumber]? = nil) {
            self.card = card.ident
            isSimulated = card.isSimulated
            self.fingerprint = fingerprint
            self.signed = signed
            self.slots = slots
        }
    }

    /// What is signed.
    public var result: SigningResult
    package let plan: SigningPlan
    /// The transaction as it was shown last.
    public var review: TransactionReview { plan.review }
    /// What speaks against it, or is worth knowing: notices and warnings, in the order of inputs and outputs.
    public var findings: [Finding] { plan.findings }
    /// The cards that signed, in their order.
    public let signers: [Signer]
    /// Who signed before, as the store knows.
    package let earlierSigners: [Fingerprint]
    /// Why not everything is signed; `nil` when it is. What the interaction threw stands here as it was thrown.
    public let interruption: (any Error)?
    /// Whether it was interrupted when nobody signed, but others were still to sign.
    let isBetweenSigners: Bool
    /// Whether the local store has every signature.
    public let isKept: Bool

    /// How a signing ended.
    package init(
        result: SigningResult, plan: SigningPlan, signers: [Signer] = [], earlierSigners: [Fingerprint] = [],
        interruption: (any Error)? = nil, isBetweenSigners: Bool = false, isKept: Bool = true
    ) {
        self.result = result
        self.plan = plan
        self.signers = signers
        self.earlierSigners = earlierSigners
        self.interruption = interruption
        self.isBetweenSigners = isBetweenSigners
        self.isKept = isKept
    }

    /// How many signatures there are, and how many there shall be: this signer's, or everybody's where several sign.
    package var extent: (done: Int, total: Int) {
        let tally = SignatureTally(result.signedPSBT)
        let concernsAll = isBetweenSigners || signers.count > 1 || tally.threshold > 1
        return concernsAll
            ? (tally.present, tally.present + tally.missing)
            : (plan.presentCount + result.added, plan.presentCount + plan.signatureCount)
    }
}
