extension PaymentURI {
    /// Keys of witness addresses: their human-readable parts.
    static let addressKeys: Set<String> = Set(Network.allCases.map { $0.humanReadablePart })

    /// Keys of payment instructions, each of which can replace an address.
    ///
    /// Spec: BIP-321, "Query Keys".
    static let instructions: Set<String> = addressKeys.union(["lightning", "lno", "pay", "sp"])

    /// Rejects what the BIP forbids, whatever the values mean.
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

    /// The value of a parameter that may appear at most once; empty when it has only a key.
    static func text(_ name: String, in parameters: [Parameter]) -> String? {
        parameters.first { $0.name == name }.map { $0.value ?? "" }
    }

    /// The requested amount.
    static func amount(in parameters: [Parameter]) throws(Amount.DecimalError) -> Amount? {
        guard let text = text("amount", in: parameters) else { return nil }
        return try Amount(decimalBitcoin: text)
    }
}
