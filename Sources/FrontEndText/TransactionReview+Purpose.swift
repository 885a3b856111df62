import Bitcoin
import TapManager

extension TransactionReview {
    private static let namedOutputs = 4

    /// What a CVC is asked for, behind “to”: whom the transaction pays, and the fee. A person may see no more than that. Of many
    /// outputs the largest are named: nobody hides a payment behind small ones; and none is left out for coming back, which the
    /// card has not borne out yet.
    package var purpose: String {
        let outputs = outputs.sorted { $0.amount > $1.amount }
        let targets = outputs.prefix(Self.namedOutputs).map { output in
            "\(output.amount) to \(output.address?.description ?? "a script")"
        }
        let more = outputs.dropFirst(Self.namedOutputs)
        let sum = Amount.sum(more.lazy.map(\.amount))?.description ?? "unknown amounts"
        return "sign a transaction that pays " + targets.joined(separator: ", ")
            + (more.isEmpty ? "" : " and \(more.count) more, \(sum)") + "; fee \(fee.fee)"
    }
}
