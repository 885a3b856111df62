import Bitcoin

/// Signatures and final scripts that are already there are valid.
struct ExistingSignatureCheck: SigningCheck {
    func findings(in context: SigningContext) -> [Finding] {
        context.psbt.inputs.indices.flatMap { index in
            context.psbt.inputs[index].isFinal
                ? finalScript(input: index, in: context) : partialSignatures(input: index, in: context)
        }
    }

    private func partialSignatures(input index: Int, in context: SigningContext) -> [Finding] {
        context.psbt.inputs[index].partialSignatures.compactMap { key, signature in
            if isValid(signature, by: key, input: index, in: context) { return nil }
            return Finding(
                .refusal, .badPartialSignature, context.subject(input: index),
                "it carries a signature of key \(Script(key)) that is not valid.")
        }
    }

    private func isValid(
        _ signature: [UInt8], by key: [UInt8], input index: Int, in context: SigningContext
    ) -> Bool {
        guard let byte = signature.last, let parsed = ECDSASignature(der: signature.dropLast()),
            let digest = context.digest(input: index, type: SighashType(rawValue: UInt32(byte)))
        else { return false }
        return PublicKey.isValid(parsed, for: digest, publicKey: key)
    }

    private func finalScript(input index: Int, in context: SigningContext) -> [Finding] {
        []
    }
}
