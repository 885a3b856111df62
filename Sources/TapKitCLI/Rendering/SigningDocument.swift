import Bitcoin
import ByteCodec
import TapManager

/// A finding as `--json` shows it.
struct FindingDocument: Encodable {
    let code: String
    let severity: String
    let message: String
    let input: Int?
    let output: Int?

    init(_ finding: Finding) {
        code = finding.code.rawValue
        message = TerminalText.neutralized(finding.message)
        severity =
            switch finding.severity {
            case .notice: "notice"
            case .warning: "warning"
            case .refusal: "refusal"
            }
        switch finding.subject {
        case .transaction: (input, output) = (nil, nil)
        case .input(let index, _): (input, output) = (index, nil)
        case .output(let index): (input, output) = (nil, index)
        }
    }
}

/// The answer of `sign`.
struct SigningDocument: Encodable {
    struct Input: Encodable {
        let outpoint: String
        let amountSat: Int64
        let amountProven: Bool
        let address: String?
        let path: String?
        let mine: Bool
    }

    struct Output: Encodable {
        let address: String?
        let scriptPubkey: String
        let amountSat: Int64
        let change: Bool
        let changeProven: Bool
        let path: String?
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
    let warnings: [FindingDocument]
    let notices: [FindingDocument]
    let file: String?
    let simulated: Bool?

    init(result: SigningResult, review: TransactionReview, findings: [Finding], file: String?, isSimulated: Bool) {
        signed = result.added
        complete = result.transaction != nil
        psbt = String(decoding: result.psbt.encoded(as: .base64), as: UTF8.self)
        txid = result.transaction?.id.description
        tx = result.transaction.map { Hex.encode($0.serialized()) }
        feeSat = review.fee.fee.satoshis
        satPerVb = Double(review.fee.rateText) ?? 0
        inputs = review.inputs.map {
            Input(
                outpoint: $0.outpoint.description, amountSat: $0.amount.satoshis, amountProven: $0.isProven,
                address: $0.address?.description, path: $0.path?.description, mine: $0.path != nil)
        }
        outputs = review.outputs.map {
            Output(
                address: $0.address?.description, scriptPubkey: $0.scriptPubKey.description,
                amountSat: $0.amount.satoshis, change: $0.changePath != nil, changeProven: $0.isProvenChange,
                path: $0.changePath?.description)
        }
        warnings = findings.filter { $0.severity == .warning }.map(FindingDocument.init)
        notices = findings.filter { $0.severity == .notice }.map(FindingDocument.init)
        self.file = file
        simulated = isSimulated ? true : nil
    }
}
