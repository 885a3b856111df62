import Bitcoin
import TapProtocol

/// How signing ended, whoever signed.
public struct SigningReport: Sendable {
    /// A card that signed.
    public struct Signer: Sendable, Equatable {
        /// The ident of the card, also printed on its back.
        public let card: CardIdent
        /// The master key's fingerprint; `nil` for a SATSCARD, which has none.
        public let fingerprint: Fingerprint?
        /// How many signatures it made.
        public let signed: Int
        /// Whether the card is known to be simulated.
        package let isSimulated: Bool
        /// The slots that signed; `nil` for other cards than a SATSCARD.
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

    /// The signed PSBT.
    public var result: SigningResult
    package let plan: SigningPlan
    /// The transaction as it was last shown.
    package var review: TransactionReview { plan.review }
    /// Notices and warnings, in the order of inputs and outputs.
    public var findings: [Finding] { plan.findings }
    /// The cards that signed, in their order.
    public let signers: [Signer]
    /// Who signed before, as far as the store knows.
    package let earlierSigners: [Fingerprint]
    /// Why signatures are missing; `nil` if none is. An error of the interaction is kept as it was thrown.
    public let interruption: (any Error)?
    /// Whether it was interrupted while nobody was signing, but others were still to sign.
    let isBetweenSigners: Bool
    /// Whether the local store has every signature.
    public package(set) var isKept: Bool

    /// How signing ended.
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

    /// How many signatures exist, and how many there will be: this signer's, or everyone's if several sign.
    package var extent: (done: Int, total: Int) {
        let tally = SignatureTally(result.signedPSBT)
        let concernsAll = isBetweenSigners || signers.count > 1 || tally.threshold > 1
        return concernsAll
            ? (tally.present, tally.present + tally.missing)
            : (plan.presentCount + result.added, plan.presentCount + plan.signatureCount)
    }
}
