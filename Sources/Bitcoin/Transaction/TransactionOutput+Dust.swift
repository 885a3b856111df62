import ByteCodec

extension TransactionOutput {
    /// The smallest amount that nodes relay in an output with this script: the cost, at 3 sat/vB, of the output and a typical
    /// input that spends it. Zero for outputs that can never be spent.
    ///
    /// Spec: Bitcoin Core, `GetDustThreshold` with the default `-dustrelayfee`.
    public var dustLimit: Amount {
        guard !scriptPubKey.isProvablyUnspendable else { return .zero }
        var serialized: [UInt8] = []
        serialize(into: &serialized)
        // Outpoint, lengths and sequence, and 107 bytes of signature and key: a quarter of that in the witness.
        let spending = scriptPubKey.witnessProgram == nil ? 148 : 67
        return Amount(satoshis: 3 * (serialized.count + spending)) ?? .maximum
    }

    /// Whether the value is below the dust limit.
    public var isDust: Bool { value < dustLimit.satoshis }
}
