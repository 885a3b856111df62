import Bitcoin

/// Outputs that the transaction's wallet claims as its own. If the signer's keys do not prove it, they may belong to
/// someone who had the wallet made for the user.
///
/// Spec: threats, "The wallet's own descriptors".
struct WalletChangeCheck: SigningCheck {
    func findings(in context: SigningContext) -> [Finding] {
        guard let wallet = context.wallet else { return [] }
        if let fault = wallet.fault {
            return [
                Finding(
                    .refusal, .walletUnsound, .transaction,
                    "It belongs to the unsafe wallet “\(wallet.name)”: \(fault) Remove the wallet, and create it again "
                        + "from the descriptors of one account.")
            ]
        }
        return context.changes.enumerated().compactMap { index, verdict in
            guard !verdict.isProven,
                wallet.place(of: context.transaction.outputs[index], context.psbt.outputs[index]) != nil
            else { return nil }
            return Finding(
                .warning, .walletChangeNotProven, .output(index),
                "the wallet “\(wallet.name)” claims it as its own, but the signer's keys do not prove that. Treat it "
                    + "as a payment.")
        }
    }
}
