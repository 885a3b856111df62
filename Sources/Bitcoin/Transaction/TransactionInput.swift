import ByteCodec

/// An input of a transaction.
public struct TransactionInput: Hashable, Sendable {
    /// The output that is spent.
    public var outpoint: Outpoint
    /// The unlocking script; empty while unsigned and for native segregated witness.
    public var scriptSig: Script
    /// nSequence: relative lock times (BIP-68) and replaceability (BIP-125).
    public var sequence: UInt32
    /// The witness stack, bottom first; empty when there is none.
    public var witness: [[UInt8]]

    /// An input that is not signed yet, unless its script or witness is given.
    /// - Parameter sequence: 0xFFFFFFFF disables lock times; below 0xFFFFFFFE the transaction can be replaced (BIP-125).
    public init(
        outpoint: Outpoint, scriptSig: Script = Script(), sequence: UInt32 = 0xFFFF_FFFF, witness: [[UInt8]] = []
    ) {
        self.outpoint = outpoint
        self.scriptSig = scriptSig
        self.sequence = sequence
        self.witness = witness
    }
}

extension TransactionInput {
    /// Reads an input: outpoint (36 bytes), script with its compact size, sequence (4 bytes).
    init(from reader: inout ByteReader) throws(ByteReader.ReadingError) {
        outpoint = try Outpoint(from: &reader)
        scriptSig = Script(try reader.sizedSlice())
        sequence = try reader.littleEndian()
        witness = []
    }

    func serialize(into bytes: inout [UInt8]) {
        outpoint.serialize(into: &bytes)
        bytes.appendSized(scriptSig.bytes)
        bytes.appendLittleEndian(sequence)
    }

    mutating func readWitness(from reader: inout ByteReader) throws(ByteReader.ReadingError) {
        witness = try reader.witnessStack()
    }

    func serializeWitness(into bytes: inout [UInt8]) { bytes.appendWitnessStack(witness) }
}

extension ByteReader {
    /// A witness stack: the number of items as a compact size, then each with its compact size.
    mutating func witnessStack() throws(ReadingError) -> [[UInt8]] {
        let count = try compactSize()
        var stack: [[UInt8]] = []
        stack.reserveCapacity(Int(Swift.min(count, UInt64(remaining))))
        for _ in 0..<count { stack.append(Array(try sizedSlice())) }
        return stack
    }
}

extension [UInt8] {
    /// Appends the number of items, then each with its compact size.
    mutating func appendWitnessStack(_ stack: [[UInt8]]) {
        appendCompactSize(stack.count)
        for item in stack { appendSized(item) }
    }
}
