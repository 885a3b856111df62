import Bitcoin

/// Existing signatures and final scripts are valid.
struct ExistingSignatureCheck: SigningCheck {
    func findings(in context: SigningContext) -> [Finding] {
        context.psbt.inputs.enumerated().compactMap { index, input in
            // Other checks report problems with the coin or its scripts.
            guard case .success = context.spendings[index] else { return nil }
            if input.isFinal { return finalScripts(input: index, in: context) }
            return input.partialSignatures.isEmpty ? nil : partialSignatures(input: index, in: context)
        }
    }

    private func partialSignatures(input index: Int, in context: SigningContext) -> Finding? {
        do throws(PSBTError) {
            try context.psbt.verifyPartialSignatures(ofInput: index, using: context.digests)
            return nil
        } catch {
            return Finding(
                .refusal, .badPartialSignature, context.subject(input: index),
                "an existing signature is invalid: \(error).")
        }
    }

    private func finalScripts(input index: Int, in context: SigningContext) -> Finding? {
        do throws(PSBTError) {
            // Scripts that are not executed here (taproot, no template) belong to other signers.
            _ = try context.psbt.verifyFinalScripts(ofInput: index, using: context.digests)
            return nil
        } catch {
            return Finding(
                .refusal, .badFinalScript, context.subject(input: index),
                "its final scripts do not satisfy the spent output: \(error).")
        }
    }
}
