import Bitcoin
import TapManager
import TextLayout

/// All findings of one code that a yes alone does not answer, for whoever accepts them at once.
package struct LossDocument: Encodable {
    let code: String
    /// How many findings have the code.
    let count: Int
    /// What is accepted, in words: the finding's own or, if there are several, how many and what they mean.
    let summary: String

    /// The findings by code, in the order of the codes.
    static func all(_ findings: [Finding]) -> [LossDocument] {
        Dictionary(grouping: findings, by: \.code.rawValue).sorted { $0.key < $1.key }.compactMap { LossDocument($1) }
    }

    private init?(_ findings: [Finding]) {
        guard let first = findings.first else { return nil }
        (code, count) = (first.code.rawValue, findings.count)
        let subjects =
            switch first.subject {
            case .transaction: "warnings of this kind"
            case .input: "inputs with this warning"
            case .output: "outputs with this warning"
            }
        summary = TerminalText.neutralized(
            count == 1 ? first.message : "\(count) \(subjects): \(first.code.meaning)")
    }
}
