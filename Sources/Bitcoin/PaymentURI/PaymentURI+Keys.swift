extension PaymentURI {
    /// Keys under which witness addresses stand: their human-readable part.
    static let addressKeys: Set<String> = Set(Network.allCases.map { $0.humanReadablePart })

    /// Keys of payment instructions, any of which stands in for an address.
    ///
    /// Spec: BIP-321, "Query Keys".
    static let instructions: Set<String> = addressKeys.union(["lightning", "lno", "pay", "sp"])

    /// Refuses what the BIP forbids, whatever the values mean.
    static func check(_ parameters: [Parameter]) throws(PaymentURIError) {
        let strangers = parameters.filter { $0.isRequired && $0.name != ProofOfPayment.requiredKey }
        guard strangers.isEmpty else { throw .unknownRequiredParameters(strangers.map { $0.name }) }
        for name in ["amount", "label", "message", ProofOfPayment.key] {
            let count = parameters.count {
                $0.name == name || (name == ProofOfPayment.key && $0.name == ProofOfPayment.requiredKey)
            }
            guard count <= 1 else { throw .repeatedParameter(name) }
        }
        for parameter in parameters where addressKeys.contains(parameter.name) {
            guard (parameter.value ?? "").asciiLowercased.utf8.starts(with: (parameter.name + "1").utf8) else {
                throw .addressUnderOtherKey(parameter.name)
            }
        }
    }

    /// The value of a parameter that is there at most once; empty when the key stands alone.
    static func text(_ name: String, in parameters: [Parameter]) -> String? {
        parameters.first { $0.name == name }.map { $0.value ?? "" }
    }

    /// The amount asked for.
    static func amount(in parameters: [Parameter]) throws(Amount.DecimalError) -> Amount? {
        guard let text = text("amount", in: parameters) else { return nil }
        return try Amount(decimalBitcoin: text)
    }
}
