extension Descriptor {
    /// A way to spend what a descriptor of miniscript pays to, with the places of its keys.
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

    /// Every way to spend, in the order of the text.
    /// - Returns: `nil` if it is not miniscript, or if there are more than 64 ways.
    public var spendingPaths: [Path]? { miniscript.flatMap { SpendingPolicy($0.numbered).paths } }

    /// The weight that signing in one way adds to an input; see `SpendingScript.estimatedSatisfactionWeight`.
    /// - Returns: `nil` if the way cannot be taken.
    public func satisfactionWeight(of path: Path) -> Int? {
        guard let miniscript, let stack = miniscript.numbered.estimatedSatisfaction(of: path) else { return nil }
        return (try? spending().spendingScript())?.weight(stack: stack)
    }
}
