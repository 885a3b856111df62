import Bitcoin
import TapManager

/// What a CVC is asked for, in the words of the prompt: the person sees no more than that.
enum HWIPurpose {
    private static let listedOutputs = 4

    /// Signing a transaction: whom it pays, and the fee, as far as they can be told without the card. Of many outputs the
    /// largest: nobody hides a payment behind small ones.
    static func signing(_ psbt: PSBT, network: Network) -> String {
        let (review, _) = SigningPlanner(psbt: psbt, network: network).review(wallet: nil)
        guard let review else { return "sign a transaction with unknown amounts" }
        let outputs = review.outputs.sorted { $0.amount > $1.amount }
        let targets = outputs.prefix(listedOutputs).map { output in
            "\(output.amount) to \(output.address?.description ?? "a script")"
        }
        let more = outputs.dropFirst(listedOutputs)
        let sum = Amount.sum(more.lazy.map(\.amount))?.description ?? "unknown amounts"
        return "sign a transaction that pays " + targets.joined(separator: ", ")
            + (more.isEmpty ? "" : " and \(more.count) more, \(sum)") + "; fee \(review.fee.fee)"
    }
}
