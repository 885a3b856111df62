import Bitcoin
import TapManager

/// How a signing ended, whoever signed.
struct SigningEnd {
    /// What is signed.
    var result: SigningResult
    /// What was to be signed.
    let plan: SigningPlan
    /// The cards that signed.
    var signers: [SigningDocument.Signer] = []
    /// Who signed before, as the store knows.
    var earlierSigners: [Fingerprint] = []
    /// Why not everything is signed; `nil` when it is.
    var interruption: Failure?
    /// Whether it was interrupted when nobody signed, but others were still to sign.
    var isBetweenSigners = false
    /// Whether a simulated card signed.
    var isSimulated = false
    /// Whether the key that signed is in this machine's memory, and in no card.
    var isHot = false
    /// Whether the local store has every signature.
    var isKept = true
    /// The chain server that took the transaction; `nil`: it was not sent.
    var sentTo: String?

    /// How many signatures there are, and how many there shall be: this signer's, or everybody's where several sign.
    var extent: (done: Int, total: Int) {
        let tally = SignatureTally(result.signedPSBT)
        let concernsAll = isBetweenSigners || signers.count > 1 || tally.threshold > 1
        return concernsAll
            ? (tally.present, tally.present + tally.missing)
            : (plan.presentCount + result.added, plan.presentCount + plan.signatureCount)
    }
}
