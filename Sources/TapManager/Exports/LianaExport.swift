import Bitcoin

/// A wallet for Liana's *import*: its descriptor, if Liana can have the wallet.
///
/// Liana reads the text by its meaning, so every expression of the same policy will do.
package struct LianaExport: Sendable {
    private let descriptor: String

    /// An export of a wallet.
    /// - Throws: `ExportError.lianaRule`.
    package init(_ source: ExportSource) throws(ExportError) {
        let descriptors = source.wallet.descriptors
        guard descriptors.count == 1, let text = descriptors[0].text else { throw .lianaRule(.descriptor) }
        if let rule = LianaExport.unkeptRule(of: descriptors[0]) { throw .lianaRule(rule) }
        descriptor = text
    }

    /// The file's complete text, with a newline at the end. Contains only public keys.
    package var text: String { descriptor + "\n" }
}

extension LianaExport {
    private typealias Key = DescriptorKey

    /// The first rule of Liana's that a descriptor does not keep; `nil` if Liana can have it.
    package static func unkeptRule(of descriptor: Descriptor) -> LianaRule? {
        guard case .wsh(.miniscript(let miniscript)) = descriptor.expression else { return .descriptor }
        guard case .threshold(1, let parts) = SpendingPolicy(miniscript), parts.count > 1 else { return .recoveryPaths }
        var (single, groups): ([Key], [[Key]]) = ([], [])
        var paths: [[Key]] = []
        var locks: Set<UInt32> = []
        for part in parts {
            switch part {
            // One of several keys is as good as so many alternatives.
            case .key(let key): single.append(key)
            case .threshold(_, let keys) where keys.allSatisfy(\.isKey): groups.append(keys.compactMap(\.key))
            default:
                guard let path = recovery(part) else { return .recoveryPaths }
                guard (1...TimeLock.mask).contains(path.lock) else { return .blocks }
                guard locks.insert(path.lock).inserted else { return .differentBlocks }
                paths.append(path.keys)
            }
        }
        if !single.isEmpty { groups.append(single) }
        guard groups.count == 1 else { return .primaryPath }
        return paths.isEmpty ? .recoveryPaths : fault(of: paths + groups)
    }

    /// A lock and keys: `thresh(2,older(N),KEY)`, `thresh(2,older(N),thresh(K,KEY,…))`, or `thresh(N+1,older(N),KEY,…)`.
    private static func recovery(_ policy: SpendingPolicy<Key>) -> (lock: UInt32, keys: [Key])? {
        guard case .threshold(let threshold, let parts) = policy, threshold == parts.count else { return nil }
        let locks = parts.compactMap { if case .older(let lock) = $0 { lock } else { nil } }
        guard let lock = locks.first, locks.count == 1 else { return nil }
        let rest = parts.filter { if case .older = $0 { false } else { true } }
        if rest.allSatisfy(\.isKey) { return (lock, rest.compactMap(\.key)) }
        guard rest.count == 1, case .threshold(_, let keys) = rest[0], keys.allSatisfy(\.isKey) else { return nil }
        return (lock, keys.compactMap(\.key))
    }

    private static func fault(of paths: [[Key]]) -> LianaRule? {
        for path in paths {
            var holders: Set<Fingerprint> = []
            for key in path {
                guard case .extended = key.material, let origin = key.origin, key.wildcard == .normal,
                    key.branchCount == 2, !key.steps.contains(where: \.isHardened)
                else { return .keys }
                guard holders.insert(origin.fingerprint).inserted else { return .differentHolders }
            }
        }
        return nil
    }
}

extension SpendingPolicy {
    fileprivate var key: Key? { if case .key(let key) = self { key } else { nil } }

    fileprivate var isKey: Bool { if case .key = self { true } else { false } }
}

extension DescriptorKey.Step {
    fileprivate var isHardened: Bool {
        switch self {
        case .one(let number): number.isHardened
        case .eachBranch(let numbers): numbers.contains(where: \.isHardened)
        }
    }
}
