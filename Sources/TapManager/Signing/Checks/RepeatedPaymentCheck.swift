import Bitcoin

/// Several payments to one address: rarely intended, and easily overlooked.
struct RepeatedPaymentCheck: SigningCheck {
    func findings(in context: SigningContext) -> [Finding] {
        var first: [Script: Int] = [:]
        return context.transaction.outputs.enumerated().compactMap { index, output in
            guard let earlier = first[output.scriptPubKey] else {
                first[output.scriptPubKey] = index
                return nil
            }
            return Finding(
                .notice, .paymentRepeated, .output(index), "pays the same address as output \(earlier).")
        }
    }
}
