import Bitcoin

extension ExportAccount {
    /// The account's descriptor with checksum.
    /// - Parameter steps: what follows each key, such as `<0;1>/*`.
    ///
    /// Spec: BIP-380, BIP-383.
    package func descriptor(_ steps: String) -> String {
        let text = body(keys: keys.map { "\($0)/\(steps)" })
        // Every character is from the descriptor alphabet, so there always is a checksum.
        return (try? DescriptorChecksum.append(to: text)) ?? text
    }

    /// The descriptor of key expressions, without checksum.
    func body(keys: [String]) -> String {
        switch form {
        case .single(let kind): kind.descriptor(of: keys.joined())
        case .multisig(let kind, let threshold):
            kind.descriptor(of: "sortedmulti(\(([String(threshold)] + keys).joined(separator: ",")))")
        }
    }
}
