import Bitcoin
import TapManager

/// A transaction as lines for people, before they are asked whether to sign.
struct ReviewText {
    private let review: TransactionReview
    private let findings: [Finding]
    private let owner: String?

    /// - Parameter owner: whose the inputs with a path are, in the genitive; `nil` when no key is there to tell, so that
    ///   change cannot be told from payments either.
    init(_ review: TransactionReview, findings: [Finding], owner: String?) {
        self.review = review
        self.findings = findings
        self.owner = owner
    }

    /// The owner when a card signs.
    static let card = "this card's"
    /// The owner when a backup does.
    static let backup = "the backup's"

    /// So many inputs are listed; of the others only sum and ownership are told.
    private static let listedInputs = 10

    /// Inputs, outputs, fee, warnings, notices.
    var lines: [String] {
        var lines = ["Spends \(review.inputs.count) input\(review.inputs.count == 1 ? "" : "s"):"]
        for (index, input) in review.inputs.enumerated().prefix(Self.listedInputs) { lines.append(line(index, input)) }
        if review.inputs.count > Self.listedInputs {
            let rest = review.inputs.dropFirst(Self.listedInputs)
            let sum = Amount.sum(rest.lazy.map(\.amount))?.description ?? ""
            let owned = owner.map { ", \(rest.count { $0.path != nil }) of them \($0)" } ?? ""
            lines.append("  … and \(rest.count) more, \(sum)\(owned)")
        }
        lines.append("Pays:")
        lines += review.outputs.enumerated().map(line)
        let fee = review.fee
        lines.append("Fee: \(fee.fee) = \(fee.fee.satoshis) sat, about \(fee.rateText) sat/vB")
        lines.append(
            owner == nil
                ? "All outputs: \(fee.sent); which of them is change, the signer tells"
                : "Sent to others: \(fee.sent)")
        lines += FindingText.lines(findings.filter { $0.severity == .notice }).map { "Note: \($0)" }
        return lines + warningLines
    }

    /// What speaks against it.
    var warningLines: [String] {
        FindingText.lines(findings.filter { $0.severity == .warning }).map { "WARNING: \($0)" }
    }

    private func line(_ index: Int, _ input: TransactionReview.Input) -> String {
        let mark = owner.flatMap { owner in input.path.map { " — \(owner), \($0)" } } ?? ""
        let claim = input.isProven ? "" : " (amount not proven)"
        return "  \(index): \(input.amount)\(claim) from \(input.outpoint)\(mark)"
    }

    private func line(_ index: Int, _ output: TransactionReview.Output) -> String {
        let target = output.address?.description ?? "script \(output.scriptPubKey.abbreviated)"
        let change =
            output.changePath.map { output.isProvenChange ? " — change, \($0)" : " — said to be change, \($0)" } ?? ""
        return "  \(index): \(output.amount) to \(target)\(change)"
    }
}
