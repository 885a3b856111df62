import Bitcoin
import TapManager

/// The answer of `sign` and `recover sign`.
package struct SigningDocument: Encodable {
    struct Input: Encodable {
        let outpoint: String
        let amountSat: Int64
        let amountProven: Bool
        let address: String?
        let path: String?
        let mine: Bool

        private init(_ input: TransactionReview.Input, isDerived: Bool) {
            outpoint = input.outpoint.description
            amountSat = input.amount.satoshis
            amountProven = input.isProven
            address = input.address?.description
            path = input.path?.description
            mine = input.path != nil || isDerived
        }

        /// Every input of a transaction.
        static func all(of review: TransactionReview) -> [Input] {
            // A slot's key has no path, and whoever wrote the file can have left out a wallet's.
            review.inputs.map { Input($0, isDerived: review.areInputsDerived) }
        }
    }

    struct Output: Encodable {
        let address: String?
        let scriptPubkey: String
        let amountSat: Int64
        let change: Bool
        let changeProven: Bool
        let path: String?
        /// Where the file claims it to be change, if nothing shows what comes back.
        let claimedPath: String?

        /// - Parameter evidence: what shows which outputs come back.
        init(_ output: TransactionReview.Output, evidence: TransactionReview.Evidence) {
            address = output.address?.description
            scriptPubkey = output.scriptPubKey.description
            amountSat = output.amount.satoshis
            change = output.changePath != nil
            changeProven = output.isProvenChange
            path = output.changePath?.description
            claimedPath = evidence == .nothing ? output.claimedPath?.description : nil
        }

        /// Every output of a transaction.
        static func all(of review: TransactionReview) -> [Output] {
            review.outputs.map { Output($0, evidence: review.evidence) }
        }
    }

    /// A card that signed in this run.
    struct Signer: Encodable {
        let ident: String
        /// The master key's fingerprint; `nil` for a SATSCARD, which has none.
        let fingerprint: String?
        let signed: Int
        /// A SATSCARD's slots, counted from 1.
        let slots: [Int]?

        init(_ signer: SigningReport.Signer) {
            ident = signer.card.text
            fingerprint = signer.fingerprint?.description
            signed = signer.signed
            slots = signer.slots?.map(\.forPeople)
        }
    }

    let signed: Int
    let complete: Bool
    let psbt: String
    let txid: String?
    let tx: String?
    let feeSat: Int64
    let satPerVb: Double
    let inputs: [Input]
    let outputs: [Output]
    /// What shows which outputs come back; only `keys` prove it.
    let evidence: String
    /// The name of the wallet whose descriptors show it.
    let evidenceWallet: String?
    let warnings: [FindingDocument]
    let notices: [FindingDocument]
    /// Both.
    let findings: [FindingDocument]
    let file: String?
    /// The cards that signed in this run.
    let signers: [Signer]
    /// Master fingerprints of all who have signed, from the PSBT or, if it is final, from the store.
    let signedBy: [String]
    /// How many signatures are missing.
    let missing: Int
    let simulated: Bool?
    let hot: Bool?
    /// The stored transaction's id, if that is the answer.
    let id: String?
    /// Whether the transaction was sent.
    let sent: Bool?
    /// The images of the result's QR codes.
    let qrFiles: [String]?

    /// A signing that ended.
    /// - Parameters:
    ///   - file: where the signed PSBT was written; `nil`: nowhere.
    ///   - isStored: whether the transaction is in the local store, so that its id is of use.
    ///   - qrFiles: the images of the result's QR codes; `nil`: none were asked for.
    package init(_ end: SigningOutcome, file: String?, isStored: Bool = false, qrFiles: [String]? = nil) {
        let (result, review, findings) = (end.result, end.report.review, end.report.findings)
        signed = result.added
        complete = result.transaction != nil
        psbt = result.psbt.base64Text
        txid = result.transaction?.id.description
        tx = result.transaction?.hexText
        feeSat = review.fee.fee.satoshis
        satPerVb = Double(review.fee.rateText) ?? 0
        inputs = Input.all(of: review)
        outputs = Output.all(of: review)
        evidence = review.evidence.code
        evidenceWallet = review.evidence.wallet
        warnings = findings.filter { $0.severity == .warning }.map { FindingDocument($0, in: review) }
        notices = findings.filter { $0.severity == .notice }.map { FindingDocument($0, in: review) }
        self.findings = findings.map { FindingDocument($0, in: review) }
        self.file = file
        signers = end.report.signers.map(Signer.init)
        let tally = SignatureTally(result.signedPSBT)
        signedBy = Set(tally.signedBy + end.report.earlierSigners).map(\.description).sorted()
        missing = tally.missing
        simulated = end.isSimulated ? true : nil
        hot = end.isHot ? true : nil
        id = isStored ? result.psbt.unsignedTransaction.id.description : nil
        sent = end.sentTo.map { _ in true }
        self.qrFiles = qrFiles
    }
}
