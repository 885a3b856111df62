import Bitcoin

/// A key that a test holds, with the P2WPKH script that pays it, for transactions that a node takes.
public struct SingleKey: Sendable {
    /// The key.
    public let key: PrivateKey

    /// The key whose secret is the hash of a name.
    public init(_ name: String) throws { key = try PrivateKey(SecretBytes(SHA256.hash(Array(name.utf8)))) }

    /// What pays it.
    public var script: Script { .p2wpkh(key.publicKey) }

    /// A coin of its own.
    public struct Coin: Sendable {
        /// Where it is.
        public let outpoint: Outpoint
        /// How much it is.
        public let amount: Amount

        /// A coin.
        public init(_ outpoint: Outpoint, _ amount: Amount) { (self.outpoint, self.amount) = (outpoint, amount) }
    }

    /// A signed transaction that spends coins of this key.
    /// - Parameters:
    ///   - sequence: of each input; as it stands the transaction can be replaced.
    public func spend(
        _ coins: [Coin], to outputs: [TransactionOutput], sequence: UInt32 = 0xFFFF_FFFD
    ) throws -> Transaction {
        let inputs = coins.map { TransactionInput(outpoint: $0.outpoint, sequence: sequence) }
        let unsigned = Transaction(inputs: inputs, outputs: outputs)
        let cache = SighashCache(unsigned)
        let signed = try coins.enumerated().map { index, coin in
            let digest = try cache.segwitV0Digest(
                input: index, scriptCode: .p2pkh(key.publicKey), amount: coin.amount, type: .all)
            let signature = key.signGrindingLowR(digest: digest).der + [UInt8(SighashType.all.rawValue)]
            return TransactionInput(
                outpoint: coin.outpoint, sequence: sequence, witness: [signature, key.publicKey.bytes])
        }
        return Transaction(inputs: signed, outputs: outputs)
    }
}
