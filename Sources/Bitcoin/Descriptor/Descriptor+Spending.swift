import ByteCodec

extension Descriptor {
    /// One output with all that a PSBT says about it. Each key is derived once; for many outputs, call it on the result of
    /// `derivingBranch(_:)`.
    /// - Parameters:
    ///   - branch: the branch of a multipath descriptor, from 0.
    ///   - index: the address's index, below 2³¹; without a wildcard it has no effect.
    /// - Returns: for `combo` the P2PKH output; see `spendings(branch:index:)`.
    /// - Throws: `.hardenedStep`, `.noSuchScript`; others only for paths deeper than keys can be.
    public func spending(branch: Int = 0, index: UInt32 = 0) throws(DescriptorError) -> SpendingInformation {
        try fixed(branch: branch, index: index).spending()
    }

    /// The same for every script, in the order of `scripts(branch:index:)`: one, except for `combo`.
    public func spendings(branch: Int = 0, index: UInt32 = 0) throws(DescriptorError) -> [SpendingInformation] {
        let fixed = try fixed(branch: branch, index: index)
        guard case .combo(let key) = fixed else { return [try fixed.spending()] }
        var kinds: [Expression] = [.pk(key), .pkh(key)]
        if !key.isUncompressed { kinds += [.wpkh(key), .sh(.wpkh(key))] }
        var spendings: [SpendingInformation] = []
        for kind in kinds { spendings.append(try kind.spending()) }
        return spendings
    }
}

extension Descriptor.Expression {
    /// The output of an expression with fixed keys.
    fileprivate func spending() throws(DescriptorError) -> SpendingInformation {
        let scriptPubKey = try script(.only)
        if case .tr(let key, let scripts) = self {
            return SpendingInformation(
                scriptPubKey: scriptPubKey, taproot: try SpendingInformation.Taproot(internalKey: key, scripts))
        }
        var redeemScript: Script?
        var witnessScript: Script?
        var expression = self
        if case .sh(let inner) = expression {
            redeemScript = try inner.script(.only)
            expression = inner
        }
        if case .wsh(let inner) = expression {
            witnessScript = try inner.script(.only)
            expression = inner
        }
        var derivations: [KeyDerivation] = []
        for key in expression.keys {
            let bytes = try key.bytes(.only)
            guard let origin = key.origin, !derivations.contains(where: { $0.publicKey == bytes }) else { continue }
            derivations.append(KeyDerivation(publicKey: bytes, origin: origin))
        }
        let isUncompressed = expression.keys.contains(where: \.isUncompressed)
        return SpendingInformation(
            scriptPubKey: scriptPubKey, redeemScript: redeemScript, witnessScript: witnessScript,
            derivations: derivations, publicKeyLength: isUncompressed ? 65 : PublicKey.length)
    }
}
