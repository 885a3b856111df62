import Bitcoin

/// A message to sign (BIP-322) that is disguised as a payment: once signed, it makes a statement in the owner's name,
/// while a review shows almost nothing.
///
/// A verifier accepts only a transaction with one output, a bare `OP_RETURN` with 0 sat; its first input spends a
/// transaction that spends nothing and has the message's hash after `00 20`.
///
/// Spec: BIP-322, "Full", "Signing"; threats, "The PSBT lies".
struct MessageCheck: SigningCheck {
    /// One input that spends nothing, with a script of 34 bytes that begin with `00 20`.
    private static let spendingNothing: [UInt8] =
        [1] + [UInt8](repeating: 0, count: 32) + [0xFF, 0xFF, 0xFF, 0xFF, 34, 0x00, 0x20]

    func findings(in context: SigningContext) -> [Finding] {
        guard Self.isAnswer(context.transaction) || context.psbt.inputs.contains(where: Self.spendsMessage) else {
            return []
        }
        return [
            Finding(
                .refusal, .messageAsPayment, .transaction,
                "This is not a payment, but a message to sign (BIP-322) whose text cannot be shown.")
        ]
    }

    /// Whether the outputs are those of a signed message, not of a payment.
    private static func isAnswer(_ transaction: Transaction) -> Bool {
        guard transaction.outputs.count == 1, let output = transaction.outputs.first else { return false }
        return output.value == 0 && output.scriptPubKey.bytes == [Opcode.return.rawValue]
    }

    /// Whether an input spends an output that carries a message's hash.
    private static func spendsMessage(_ input: PSBT.Input) -> Bool {
        guard let behindVersion = input.nonWitnessUTXO?.bytes.dropFirst(4) else { return false }
        let hasWitnesses = behindVersion.starts(with: [0, 1])
        return behindVersion.dropFirst(hasWitnesses ? 2 : 0).starts(with: spendingNothing)
    }
}
