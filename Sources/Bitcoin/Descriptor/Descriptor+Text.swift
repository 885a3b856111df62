extension Descriptor {
    /// The descriptor with its checksum, hardened steps marked with `h`; `nil` if it has a private key, which is never
    /// written.
    public var text: String? { expression.text.flatMap { try? DescriptorChecksum.append(to: $0) } }

    /// The descriptors without multipath steps that this one expands to, in order; itself if it has none.
    ///
    /// Spec: BIP-389.
    public var branches: [Descriptor] {
        guard branchCount > 1 else { return [self] }
        return (0..<branchCount).map { number in
            Descriptor(expression.mapKeys { $0.branchCount == 1 ? $0 : $0.branch(number) })
        }
    }
}

extension Descriptor.Expression {
    fileprivate var text: String? {
        switch self {
        case .pk(let key): key.text.map { "pk(\($0))" }
        case .pkh(let key): key.text.map { "pkh(\($0))" }
        case .wpkh(let key): key.text.map { "wpkh(\($0))" }
        case .combo(let key): key.text.map { "combo(\($0))" }
        case .multi(let threshold, let keys, let isSorted):
            keys.text.map { "\(isSorted ? "sorted" : "")multi(\(threshold),\($0))" }
        case .miniscript(let miniscript): miniscript.publicText
        case .sh(let inner): inner.text.map { "sh(\($0))" }
        case .wsh(let inner): inner.text.map { "wsh(\($0))" }
        case .tr(let key, nil): key.text.map { "tr(\($0))" }
        case .tr(let key, let scripts?): key.text.flatMap { key in scripts.text.map { "tr(\(key),\($0))" } }
        case .address(_, let text): "addr(\(text))"
        case .raw(let script): "raw(\(script))"
        }
    }
}

extension Descriptor.TaprootScripts {
    fileprivate var text: String? {
        var text = ""
        return write(to: &text) ? text : nil
    }

    /// Appends the text, each character once at any depth; returns whether there is one.
    private func write(to text: inout String) -> Bool {
        let leaf: String?
        switch self {
        case .pk(let key): leaf = key.text.map { "pk(\($0))" }
        case .pkh(let key): leaf = key.text.map { "pkh(\($0))" }
        case .multi(let threshold, let keys, let isSorted):
            leaf = keys.text.map { "\(isSorted ? "sorted" : "")multi_a(\(threshold),\($0))" }
        case .miniscript(let miniscript): leaf = miniscript.publicText
        case .branch(let one, let other):
            text += "{"
            guard one.write(to: &text) else { return false }
            text += ","
            guard other.write(to: &text) else { return false }
            text += "}"
            return true
        }
        text += leaf ?? ""
        return leaf != nil
    }
}

extension Miniscript<DescriptorKey> {
    /// The expression; `nil` when a key is private.
    fileprivate var publicText: String? { keys.contains(where: \.isPrivate) ? nil : text { $0.text ?? "" } }
}

extension [DescriptorKey] {
    /// Separated by commas; `nil` when one is private.
    fileprivate var text: String? {
        let texts = compactMap(\.text)
        return texts.count == count ? texts.joined(separator: ",") : nil
    }
}
