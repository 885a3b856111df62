extension Descriptor {
    /// A spending path of a descriptor of miniscript, with the places of its keys.
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

    /// Every spending path; see `SpendingPolicy.paths` for their order.
    /// - Returns: `nil` if it is not miniscript, or if there are more than 64.
    public var spendingPaths: [Path]? { miniscript.flatMap { SpendingPolicy($0.numbered).paths } }

    /// The weight that signing on one path adds to an input; see `SpendingScript.estimatedSatisfactionWeight`.
    /// - Returns: `nil` if the path cannot be taken.
    public func satisfactionWeight(of path: Path) -> Int? {
        guard let miniscript, let stack = miniscript.numbered.estimatedSatisfaction(of: path) else { return nil }
        return (try? spending().spendingScript())?.weight(stack: stack)
    }
}
