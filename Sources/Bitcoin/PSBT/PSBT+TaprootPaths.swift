extension PSBT.Input {
    /// The spending paths of a taproot input that its control blocks prove to be under the output key: that of the internal
    /// key unless it is the point of which nobody has the private key, and then those of each leaf that is miniscript, in the
    /// order of the fields. There may be others, of which the PSBT does not tell.
    /// - Parameter script: how the coin's locking script is spent.
    /// - Returns: `nil` if it is not taproot, if no leaf is proven and read, or if there are more than 64.
    ///
    /// Spec: BIP-341, BIP-371, BIP-379.
    public func taprootPaths(of script: SpendingScript) -> [SpendingPath<ScriptKey>]? {
        guard case .p2tr(let outputKey) = script.template, script.form == .p2tr else { return nil }
        let most = SpendingPolicy<ScriptKey>.maximumPathCount
        let leaves = taprootLeafScripts
        guard leaves.count <= most else { return nil }
        var paths: [SpendingPath<ScriptKey>] = []
        let proven = leaves.compactMap { leaf in leaf.proof(of: outputKey).map { (leaf, $0.internalKey) } }
        // Each proves it, and it is one: the optional fields that name it need not be there.
        if let key = proven.first?.1, key != TaprootOutputKey.unspendable { paths = [SpendingPath(of: .key(key))] }
        let ofKey = paths.count
        for (leaf, _) in proven {
            // What takes more items than the stack can hold is not a spending path.
            guard let miniscript = leaf.miniscript, let items = miniscript.largestStack,
                items <= ScriptStack.maximumCount
            else { continue }
            guard let more = SpendingPolicy(miniscript).paths, paths.count + more.count <= most else { return nil }
            paths += more
        }
        return paths.count > ofKey ? paths : nil
    }
}

extension TaprootLeafScript {
    /// The control block, if it proves that the script is under an output key.
    fileprivate func proof(of outputKey: [UInt8]) -> ControlBlock? {
        guard let block = try? ControlBlock(controlBlock), block.leafVersion == leafVersion,
            block.commits(outputKey: outputKey, to: TaprootLeaf.hash(version: leafVersion, script: script.bytes))
        else { return nil }
        return block
    }
}
