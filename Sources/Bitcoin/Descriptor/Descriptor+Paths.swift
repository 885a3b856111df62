extension Descriptor {
    /// A spending path of a descriptor, with the places of its keys in `keys`.
    public typealias Path = SpendingPath<NumberedKey<DescriptorKey>>

    /// The miniscript in `wsh` or `sh(wsh)`; `nil` for other descriptors.
    ///
    /// Spec: BIP-379.
    public var miniscript: Miniscript<DescriptorKey>? {
        switch expression {
        case .wsh(.miniscript(let miniscript)), .sh(.wsh(.miniscript(let miniscript))): miniscript
        default: nil
        }
    }

    /// Whether it is for taproot outputs.
    package var isTaproot: Bool { if case .tr = expression { true } else { false } }

    /// Whether there are several ways to spend: miniscript, or taproot with scripts.
    public var hasPolicy: Bool {
        if case .tr(_, .some) = expression { return true }
        return miniscript != nil
    }

    /// Every spending path; see `SpendingPolicy.listedPaths`. Of taproot with scripts, first the internal key unless
    /// nobody has its private key, and then those of each script, from left to right.
    /// - Returns: `nil` if it has no policy, or if there are too many.
    public var spendingPaths: [Path]? {
        if case .tr(let key, let scripts?) = expression { return scripts.paths(internalKey: key) }
        return miniscript.flatMap { SpendingPolicy($0.numbered).listedPaths }
    }

    /// The weight that signing on one path adds to an input; see `SpendingScript.estimatedSatisfactionWeight`.
    /// - Returns: `nil` if the path cannot be taken.
    public func satisfactionWeight(of path: Path) -> Int? {
        if case .tr(_, let scripts?) = expression { return scripts.satisfactionWeight(of: path) }
        guard let miniscript, let stack = miniscript.numbered.estimatedSatisfaction(of: path) else { return nil }
        return (try? spending().spendingScript())?.weight(stack: stack)
    }
}
