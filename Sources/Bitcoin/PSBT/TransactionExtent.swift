import ByteCodec

/// The positions of the parts of a serialized transaction, found without building it.
///
/// Spec: BIP-144, "Serialization".
struct TransactionExtent {
    /// The id: the double SHA-256 of the serialization without witnesses.
    let txid: TransactionID
    /// How many outputs there are.
    let outputCount: Int
    /// Where the first output starts.
    let outputsOffset: Int
    /// The flag after the marker of the witness form; `nil` in the old form. Only 1 has a known meaning.
    let witnessFlag: UInt8?
    /// Whether an input has a witness.
    let hasWitness: Bool

    /// Walks over a transaction that fills `bytes`.
    init(scanning bytes: ArraySlice<UInt8>) throws(ByteReader.ReadingError) {
        var reader = ByteReader(bytes)
        let version = try reader.slice(4)
        var bodyOffset = reader.offset
        var inputCount = try reader.compactSize()
        var flag: UInt8?
        if inputCount == 0, let byte = reader.peek(), byte != 0 {
            flag = try reader.byte()
            bodyOffset = reader.offset
            inputCount = try reader.compactSize()
        }
        for _ in 0..<inputCount {
            _ = try reader.slice(36)
            _ = try reader.sizedSlice()
            _ = try reader.slice(4)
        }
        let outputCount = try reader.compactSize()
        outputsOffset = reader.offset
        for _ in 0..<outputCount {
            _ = try reader.slice(8)
            _ = try reader.sizedSlice()
        }
        let bodyEnd = reader.offset
        var hasWitness = false
        if flag != nil {
            for _ in 0..<inputCount {
                let items = try reader.compactSize()
                if items > 0 { hasWitness = true }
                for _ in 0..<items { _ = try reader.sizedSlice() }
            }
        }
        let lockTime = try reader.slice(4)
        try reader.expectEnd()

        var hasher = SHA256()
        hasher.update(version)
        hasher.update(bytes.dropFirst(bodyOffset).prefix(bodyEnd - bodyOffset))
        hasher.update(lockTime)
        txid = TransactionID(unchecked: SHA256.hash(hasher.finalize()))
        self.outputCount = Int(outputCount)
        self.hasWitness = hasWitness
        witnessFlag = flag
    }
}
