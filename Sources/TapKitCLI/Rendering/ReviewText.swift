import Bitcoin
import TapManager

/// A transaction as lines for people, before they are asked whether to sign.
struct ReviewText {
    private let review: TransactionReview
    private let findings: [Finding]
    private let isOwnerKnown: Bool

    /// - Parameter isOwnerKnown: whether a key was there to tell inputs and change from those of others.
    init(_ review: TransactionReview, findings: [Finding], isOwnerKnown: Bool = true) {
        self.review = review
        self.findings = findings
        self.isOwnerKnown = isOwnerKnown
    }

    /// So many inputs are listed; of the others only sum and ownership are told.
    private static let listedInputs = 10

    /// Inputs, outputs, fee, warnings, notices.
    var lines: [String] {
        var lines = ["Spends \(review.inputs.count.counted("input")):"]
        for (index, input) in review.inputs.enumerated().prefix(Self.listedInputs) { lines.append(line(index, input)) }
        if review.inputs.count > Self.listedInputs {
            let rest = review.inputs.dropFirst(Self.listedInputs)
            let sum = Amount.sum(rest.lazy.map(\.amount))?.description ?? ""
            let owned = isOwnerKnown ? ", \(rest.count { $0.path != nil }) of them this card's" : ""
            lines.append("  … and \(rest.count) more, \(sum)\(owned)")
        }
        lines.append("Pays:")
        lines += review.outputs.enumerated().map(line)
        let fee = review.fee
        lines.append("Fee: \(fee.fee) = \(fee.fee.satoshis) sat, about \(fee.rateText) sat/vB")
        lines.append(
            isOwnerKnown
                ? "Sent to others: \(fee.sent)" : "All outputs: \(fee.sent); which of them is change, the signer tells")
        lines += FindingText.lines(findings.filter { $0.severity == .notice }).map { "Note: \($0)" }
        return lines + warningLines
    }

    /// What speaks against it.
    var warningLines: [String] {
        FindingText.lines(findings.filter { $0.severity == .warning }).map { "WARNING: \($0)" }
    }

    private func line(_ index: Int, _ input: TransactionReview.Input) -> String {
        let owner = input.path.map { " — this card's, \($0)" } ?? ""
        let claim = input.isProven ? "" : " (amount not proven)"
        return "  \(index): \(input.amount)\(claim) from \(input.outpoint)\(owner)"
    }

    private func line(_ index: Int, _ output: TransactionReview.Output) -> String {
        let target = output.address?.description ?? "script \(output.scriptPubKey.abbreviated)"
        let change =
            output.changePath.map { output.isProvenChange ? " — change, \($0)" : " — said to be change, \($0)" } ?? ""
        return "  \(index): \(output.amount) to \(target)\(change)"
    }
}
