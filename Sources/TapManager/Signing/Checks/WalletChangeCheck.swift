import Bitcoin

/// Outputs that the wallet of the transaction calls its own: what the signer's keys do not prove might be somebody else's
/// who had the wallet made for them.
///
/// Spec: threats, "The wallet's own descriptors".
struct WalletChangeCheck: SigningCheck {
    func findings(in context: SigningContext) -> [Finding] {
        guard let wallet = context.wallet else { return [] }
        if let fault = wallet.fault {
            return [
                Finding(
                    .refusal, .walletUnsound, .transaction,
                    "It is of the wallet “\(wallet.name)”, which is not used: \(fault) Take the wallet away, and make it again "
                        + "of the descriptors of one account.")
            ]
        }
        return context.changes.enumerated().compactMap { index, verdict in
            guard !verdict.isProven,
                wallet.place(of: context.transaction.outputs[index], context.psbt.outputs[index]) != nil
            else { return nil }
            return Finding(
                .warning, .walletChangeNotProven, .output(index),
                "the wallet “\(wallet.name)” calls it its own, and the keys of the one who signs do not prove that: treat it "
                    + "as a payment.")
        }
    }
}
