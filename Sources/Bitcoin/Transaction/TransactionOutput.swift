import ByteCodec

/// An output of a transaction.
public struct TransactionOutput: Hashable, Sendable {
    /// The value as serialized, in satoshis. May exceed the money supply: see `amount`.
    public var value: Int64
    /// The script that a spender must satisfy: any bytes, even if nobody can satisfy them.
    public var scriptPubKey: Script

    /// An output with a valid amount, so at most 21 000 000 BTC.
    public init(amount: Amount, scriptPubKey: Script) {
        value = amount.satoshis
        self.scriptPubKey = scriptPubKey
    }

    /// An output with an unchecked value, in satoshis.
    public init(value: Int64, scriptPubKey: Script) {
        self.value = value
        self.scriptPubKey = scriptPubKey
    }

    /// The value as an amount; `nil` when it is negative or above 21 000 000 BTC.
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
