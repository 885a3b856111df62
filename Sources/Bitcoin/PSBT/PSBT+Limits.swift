extension PSBT {
    /// The largest PSBT that is read, in bytes of its binary form: 64 MiB.
    ///
    /// Ten thousand inputs with witness UTXOs, derivations and signatures take about 5 MB; the rest is room for
    /// thousands of previous transactions.
    public static let maximumSize = 64 << 20

    /// The largest file that is read, in bytes: hexadecimal text of `maximumSize` bytes, with line ends.
    public static let maximumFileSize = 2 * maximumSize + maximumSize / 16

    /// The largest unsigned transaction that is read, in bytes: a block's weight of 4 000 000 has no room for more.
    ///
    /// Spec: BIP-141, "Block size".
    public static let maximumTransactionSize = 1_000_000

    /// The most records that are read, over all maps: ten thousand inputs of a 15-of-15 multisig need 350 000.
    public static let maximumRecordCount = 500_000
}
