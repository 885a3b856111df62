extension Descriptor {
    /// The descriptor with its checksum, hardened steps marked with `h`; `nil` for one with a private key, which is not
    /// written.
    public var text: String? { expression.text.flatMap { try? DescriptorChecksum.append(to: $0) } }

    /// The descriptors without multipath steps that this one stands for, in order; itself without one.
    ///
    /// Spec: BIP-389.
    public var branches: [Descriptor] {
        branchCount == 1 ? [self] : (0..<branchCount).map { Descriptor(expression.branch($0)) }
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
        case .sh(let inner): inner.text.map { "sh(\($0))" }
        case .wsh(let inner): inner.text.map { "wsh(\($0))" }
        case .tr(let key, nil): key.text.map { "tr(\($0))" }
        case .tr(let key, let scripts?): key.text.flatMap { key in scripts.text.map { "tr(\(key),\($0))" } }
        case .address(_, let text): "addr(\(text))"
        case .raw(let script): "raw(\(script))"
        }
    }

    fileprivate func branch(_ number: Int) -> Self {
        switch self {
        case .pk(let key): .pk(key.inBranch(number))
        case .pkh(let key): .pkh(key.inBranch(number))
        case .wpkh(let key): .wpkh(key.inBranch(number))
        case .combo(let key): .combo(key.inBranch(number))
        case .multi(let threshold, let keys, let isSorted):
            .multi(threshold: threshold, keys: keys.map { $0.inBranch(number) }, isSorted: isSorted)
        case .sh(let inner): .sh(inner.branch(number))
        case .wsh(let inner): .wsh(inner.branch(number))
        case .tr(let key, let scripts): .tr(key.inBranch(number), scripts?.branch(number))
        case .address, .raw: self
        }
    }
}

extension Descriptor.TaprootScripts {
    fileprivate var text: String? {
        switch self {
        case .pk(let key): key.text.map { "pk(\($0))" }
        case .pkh(let key): key.text.map { "pkh(\($0))" }
        case .multi(let threshold, let keys, let isSorted):
            keys.text.map { "\(isSorted ? "sorted" : "")multi_a(\(threshold),\($0))" }
        case .branch(let one, let other): one.text.flatMap { one in other.text.map { "{\(one),\($0)}" } }
        }
    }

    fileprivate func branch(_ number: Int) -> Self {
        switch self {
        case .pk(let key): .pk(key.inBranch(number))
        case .pkh(let key): .pkh(key.inBranch(number))
        case .multi(let threshold, let keys, let isSorted):
            .multi(threshold: threshold, keys: keys.map { $0.inBranch(number) }, isSorted: isSorted)
        case .branch(let one, let other): .branch(one.branch(number), other.branch(number))
        }
    }
}

extension [DescriptorKey] {
    /// With commas between; `nil` when one is private.
    fileprivate var text: String? {
        let texts = compactMap(\.text)
        return texts.count == count ? texts.joined(separator: ",") : nil
    }
}

extension DescriptorKey {
    fileprivate func inBranch(_ number: Int) -> DescriptorKey { branchCount == 1 ? self : branch(number) }
}
