import Bitcoin
import TapManager

extension TransactionReview {
    /// How many outputs `payment` names.
    package static let namedOutputs = 4

    /// What a CVC is asked for, after “to”.
    package var purpose: String { "sign a transaction that \(payment)" }

    /// Whom the transaction pays, and the fee, after “that”. The user may see nothing else. If there are many outputs, the
    /// largest are named, so that no payment can be hidden among small ones. Change is not left out, because the card has
    /// not proven it yet.
    package var payment: String {
        let outputs = outputs.sorted { $0.amount > $1.amount }
        let targets = outputs.prefix(Self.namedOutputs).map { output in
            "\(output.amount.text(on: network)) to \(output.address?.description ?? "a script")"
        }
        let more = outputs.dropFirst(Self.namedOutputs)
        let sum = Amount.sum(more.lazy.map(\.amount))?.text(on: network) ?? "unknown amounts"
        return "pays " + targets.joined(separator: ", ")
            + (more.isEmpty ? "" : " and \(more.count) more, \(sum)") + "; fee \(fee.fee.text(on: network))"
    }
}
