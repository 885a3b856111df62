import Bitcoin

/// Who can spend what a descriptor pays to, and by which script, for any of its branches and indexes.
struct WalletPolicy {
    /// A key with its claimed origin, without the steps below it.
    struct Key: Hashable {
        /// What every key below follows from: a point, and the chain code if there is one.
        struct Root: Hashable {
            let bytes: [UInt8]
            let chainCode: ChainCode?

            /// The same in every encoding.
            var xCoordinate: [UInt8] { Self.xCoordinate(bytes) }

            /// What every encoding of a point shares, except the sign.
            static func xCoordinate(_ bytes: [UInt8]) -> [UInt8] {
                bytes.count == 32 ? bytes : Array(bytes.dropFirst().prefix(32))
            }
        }

        let root: Root
        let origin: KeyOrigin?

        init(_ key: DescriptorKey) {
            origin = key.origin
            switch key.material {
            case .extended(let extended):
                root = Root(bytes: extended.publicKey.bytes, chainCode: extended.chainCode)
            case .extendedPrivate(let secret):
                root = Root(bytes: secret.neutered.publicKey.bytes, chainCode: secret.neutered.chainCode)
            case .publicKey(let bytes), .xOnly(let bytes): root = Root(bytes: bytes, chainCode: nil)
            case .privateKey(let secret): root = Root(bytes: secret.publicKeyBytes, chainCode: nil)
            }
        }
    }

    /// What two branches of one wallet's descriptors share if one is for the other's change.
    struct Family: Hashable {
        /// The script's functions, from the outside in.
        fileprivate let functions: [String]
        /// Each key's steps to the branch.
        fileprivate let steps: [[DescriptorKey.Step]]
    }

    /// In the descriptor's order or, if that does not matter, in a canonical order.
    let keys: [Key]
    /// The thresholds of every multisig in it.
    let thresholds: [Int]
    /// Its miniscript, without the keys.
    private let conditions: [String]
    let isTaproot: Bool
    let family: Family
    /// The positions, from 0, of two keys that are needed together and belong to one person.
    let repeated: (Int, Int)?

    init(_ descriptor: Descriptor) {
        var reading = Reading()
        reading.read(descriptor.expression)
        let order = reading.isSorted ? Self.order(of: descriptor.keys) : Array(descriptor.keys.indices)
        keys = order.map { Key(descriptor.keys[$0]) }
        thresholds = reading.thresholds
        conditions = reading.conditions
        isTaproot = reading.functions.first == "tr"
        family = Family(
            functions: reading.functions, steps: order.map { descriptor.keys[$0].stepsToBranch })
        repeated = reading.repeated
    }

    /// The difference between two policies; `nil` if the same people can spend both, with as many signatures.
    func difference(from other: WalletPolicy) -> WalletFault.Difference? {
        if keys.count != other.keys.count { return .keyCount }
        if keys.map(\.root) != other.keys.map(\.root) { return .keys }
        if keys.map(\.origin) != other.keys.map(\.origin) { return .origins }
        if thresholds != other.thresholds { return .threshold }
        if conditions != other.conditions { return .conditions }
        return isTaproot == other.isTaproot ? nil : .taproot
    }

    /// A canonical order of keys, independent of their order in a text.
    private static func order(of keys: [DescriptorKey]) -> [Int] {
        let roots = keys.map { Key($0).root }
        return keys.indices.sorted { one, other in
            let (left, right) = (roots[one], roots[other])
            return (left.bytes + (left.chainCode?.bytes ?? [])).lexicographicallyPrecedes(
                right.bytes + (right.chainCode?.bytes ?? []))
        }
    }

    /// What traversing an expression finds.
    private struct Reading {
        var functions: [String] = []
        var thresholds: [Int] = []
        var conditions: [String] = []
        /// Whether the order of the keys does not matter.
        var isSorted = false
        var repeated: (Int, Int)?
        private var keyCount = 0

        mutating func read(_ expression: Descriptor.Expression) {
            switch expression {
            case .pk(let key): take("pk", [key])
            case .pkh(let key): take("pkh", [key])
            case .wpkh(let key): take("wpkh", [key])
            case .combo(let key): take("combo", [key])
            case .multi(let threshold, let keys, let isSorted):
                self.isSorted = isSorted
                take(isSorted ? "sortedmulti" : "multi", keys, threshold)
            case .miniscript(let miniscript): read(miniscript)
            case .sh(let inner):
                functions.append("sh")
                read(inner)
            case .wsh(let inner):
                functions.append("wsh")
                read(inner)
            case .tr(let key, let scripts):
                take("tr", [key])
                if let scripts { read(scripts) }
            case .address: functions.append("addr")
            case .raw: functions.append("raw")
            }
        }

        private mutating func read(_ scripts: Descriptor.TaprootScripts) {
            switch scripts {
            case .pk(let key): takeLeaf("pk", [key])
            case .pkh(let key): takeLeaf("pkh", [key])
            case .multi(let threshold, let keys, let isSorted):
                takeLeaf(isSorted ? "sortedmulti_a" : "multi_a", keys, threshold)
            case .miniscript(let miniscript): read(miniscript)
            case .branch(let one, let other):
                mark("{")
                read(one)
                read(other)
                mark("}")
            }
        }

        private mutating func mark(_ text: String) {
            functions.append(text)
            conditions.append(text)
        }

        /// Where a key stands in the tree is part of the conditions.
        private mutating func takeLeaf(_ function: String, _ keys: [DescriptorKey], _ threshold: Int? = nil) {
            conditions.append("\(function)(\(threshold ?? 1) of \(keys.count))")
            take(function, keys, threshold)
        }

        private mutating func read(_ miniscript: Miniscript<DescriptorKey>) {
            mark(miniscript.skeleton)
            let policy = SpendingPolicy(miniscript.numbered)
            let isCompared = miniscript.context == .p2wsh || miniscript.keys.count <= SharedCosigner.comparedKeys
            if repeated == nil, isCompared, let (one, other) = PolicyCosigners(policy).shared {
                repeated = (keyCount + one, keyCount + other)
            }
            keyCount += miniscript.keys.count
        }

        private mutating func take(_ function: String, _ keys: [DescriptorKey], _ threshold: Int? = nil) {
            functions.append(function)
            if let threshold {
                thresholds.append(threshold)
                if repeated == nil, let (one, other) = SharedCosigner.places(in: keys) {
                    repeated = (keyCount + one, keyCount + other)
                }
            }
            keyCount += keys.count
        }
    }
}

extension WalletFault {
    /// The fault of a wallet of these descriptors; `nil` if there is none. Bare addresses and scripts have no keys, and
    /// get no change.
    static func of(_ branches: [WatchWallet.Branch], _ policies: [WalletPolicy]) -> WalletFault? {
        for (number, policy) in policies.enumerated() {
            if let (one, other) = policy.repeated {
                return .repeatedKey(descriptor: number + 1, one + 1, other + 1)
            }
        }
        guard let first = policies.firstIndex(where: { !$0.keys.isEmpty }) else { return nil }
        for (number, policy) in policies.enumerated().dropFirst(first + 1) where !policy.keys.isEmpty {
            if let difference = policies[first].difference(from: policy) {
                return .differ(first + 1, number + 1, difference)
            }
        }
        let pairs = branches.filter { $0.isRanged && !policies[$0.descriptor].keys.isEmpty }
        guard pairs.contains(where: \.isChange) else { return nil }
        for branch in pairs {
            let isPaired = pairs.contains {
                $0.isChange != branch.isChange && policies[$0.descriptor].family == policies[branch.descriptor].family
            }
            if !isPaired { return .unpaired(branch.descriptor + 1, isChange: branch.isChange) }
        }
        return nil
    }
}

extension DescriptorKey {
    /// The steps without the one that distinguishes the branches: a multipath step, or else the last before the
    /// wildcard.
    fileprivate var stepsToBranch: [Step] {
        let isSplit = steps.contains { if case .eachBranch = $0 { true } else { false } }
        guard isSplit else { return wildcard == nil ? steps : Array(steps.dropLast()) }
        return steps.filter { if case .eachBranch = $0 { false } else { true } }
    }
}
