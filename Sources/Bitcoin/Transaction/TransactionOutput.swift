import ByteCodec

/// An output of a transaction.
public struct TransactionOutput: Hashable, Sendable {
    /// The value as it is serialized, in satoshis. May lie outside the money supply: see `amount`.
    public var value: Int64
    /// What has to be satisfied to spend it: any bytes, also such as nobody can satisfy.
    public var scriptPubKey: Script

    /// An output whose value is money, and so below 21 000 000 BTC.
    public init(amount: Amount, scriptPubKey: Script) {
        value = amount.satoshis
        self.scriptPubKey = scriptPubKey
    }

    /// An output with a value that need not be valid, in satoshis.
    public init(value: Int64, scriptPubKey: Script) {
        self.value = value
        self.scriptPubKey = scriptPubKey
    }

    /// The value as money; `nil` when it is negative or above 21 000 000 BTC.
    public var amount: Amount? { Amount(satoshis: value) }

    /// Reads an output: value (8 bytes), script with its compact size.
    public init(from reader: inout ByteReader) throws(ByteReader.ReadingError) {
        value = Int64(bitPattern: try reader.littleEndian())
        scriptPubKey = Script(try reader.sizedSlice())
    }

    /// Appends value and script.
    public func serialize(into bytes: inout [UInt8]) {
        bytes.appendLittleEndian(value)
        bytes.appendSized(scriptPubKey.bytes)
    }
}
