import ByteCodec

/// A whole previous transaction as in a PSBT: checked and hashed, but not parsed or copied.
///
/// Spec: BIP-174, `PSBT_IN_NON_WITNESS_UTXO`; BIP-144.
public struct PreviousTransaction: Hashable, Sendable {
    /// The bytes as in the PSBT, with or without witnesses.
    public let bytes: ArraySlice<UInt8>
    /// The transaction's id, computed from `bytes`.
    public let txid: TransactionID
    /// How many outputs the transaction has.
    public let outputCount: Int

    /// Where in `bytes` the first output starts.
    private let outputsOffset: Int

    /// Takes the bytes of a transaction that `Transaction` would accept, in one pass and without copying.
    public init(serialized bytes: ArraySlice<UInt8>) throws(Transaction.ParsingError) {
        let extent: TransactionExtent
        do throws(ByteReader.ReadingError) {
            extent = try TransactionExtent(scanning: bytes)
        } catch { throw .bytes(error) }
        if let flag = extent.witnessFlag {
            guard flag == 1 else { throw .witnessFlag(flag) }
            guard extent.hasWitness else { throw .emptyWitnesses }
        }
        self.bytes = bytes
        txid = extent.txid
        outputCount = extent.outputCount
        outputsOffset = extent.outputsOffset
    }

    /// Takes a transaction, for creating a PSBT.
    public init(_ transaction: Transaction) throws(Transaction.ParsingError) {
        try self.init(serialized: transaction.serialized()[...])
    }

    /// The output with this index, from 0; `nil` when there is none. Reads the outputs before it.
    public func output(at index: UInt32) -> TransactionOutput? {
        guard Int(index) < outputCount else { return nil }
        var reader = ByteReader(bytes.dropFirst(outputsOffset))
        for _ in 0..<index {
            guard (try? reader.slice(8)) != nil, (try? reader.sizedSlice()) != nil else { return nil }
        }
        return try? TransactionOutput(from: &reader)
    }
}
