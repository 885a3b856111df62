import Bitcoin
import TapManager
import TextLayout

/// A finding as JSON.
package struct FindingDocument: Encodable {
    let code: String
    let severity: String
    let message: String
    let input: Int?
    let output: Int?
    /// The money that could be lost because of it, in satoshis; `nil`: none, or the amount is unknown.
    let stakeSat: Int64?

    /// A finding with the input or output that it is about, counted from 0; `nil`: the whole transaction.
    /// - Parameter review: the transaction's, which has the amounts; `nil`: they are unknown.
    package init(_ finding: Finding, in review: TransactionReview?) {
        stakeSat = review?.stake(of: finding)?.satoshis
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
