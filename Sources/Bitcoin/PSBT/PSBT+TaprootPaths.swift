extension PSBT.Input {
    /// The spending paths of a taproot input that its fields prove to be under the output key: that of the internal key unless
    /// nobody has its private key, and then those of each leaf that is miniscript, in the order of the fields. There may be
    /// others, of which the PSBT does not tell.
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
        if let key = taprootInternalKey, key != TaprootOutputKey.unspendable,
            (try? TaprootOutputKey(internalKey: key, merkleRoot: taprootMerkleRoot))?.bytes == outputKey
        {
            paths = [SpendingPath(of: .key(key))]
        }
        let ofKey = paths.count
        for leaf in leaves where leaf.isUnder(outputKey) {
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
    /// Whether the control block proves that the script is under an output key.
    fileprivate func isUnder(_ outputKey: [UInt8]) -> Bool {
        guard let block = try? ControlBlock(controlBlock), block.leafVersion == leafVersion else { return false }
        return block.commits(
            outputKey: outputKey, to: TaprootLeaf.hash(version: leafVersion, script: script.bytes))
    }
}
