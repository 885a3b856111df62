import Bitcoin

/// A version 2 PSBT that marks as modifiable what one of its signatures covers: a change would spoil the signature.
///
/// Spec: BIP-370, `PSBT_GLOBAL_TX_MODIFIABLE`, "Signer", "Constructor".
struct ModifiableFlagsCheck: SigningCheck {
    func findings(in context: SigningContext) -> [Finding] {
        guard let flags = context.psbt.modifiableFlags, !flags.isDisjoint(with: [.inputs, .outputs]) else { return [] }
        return context.psbt.inputs.indices.compactMap { index in
            let types = (try? context.psbt.sighashTypes(ofInput: index)) ?? []
            let lies = types.sorted { $0.rawValue < $1.rawValue }.compactMap { Self.lie(of: flags, about: $0) }
            guard let lie = lies.first else { return nil }
            return Finding(.refusal, .modifiableFlagsMismatch, context.subject(input: index), lie)
        }
    }

    private static func lie(of flags: ModifiableFlags, about type: SighashType) -> String? {
        let contradicted = flags.contradicted(by: type)
        var parts: [String] = []
        if contradicted.contains(.inputs) { parts.append("the inputs") }
        if contradicted.contains(.outputs) { parts.append("the outputs") }
        if !parts.isEmpty {
            return
                "has a signature of type \(type), but the PSBT says that \(parts.joined(separator: " and ")) can still "
                + "be changed."
        }
        guard type.outputs == .single, !flags.contains(.hasSighashSingle) else { return nil }
        return "has a signature of type \(type), which depends on an output's position, but the PSBT does not say so."
    }
}
