import ByteCodec

/// A transaction, signed or not.
public struct Transaction: Hashable, Sendable {
    /// Why bytes are not a transaction.
    public enum ParsingError: Error, Equatable, Sendable {
        /// Truncated, a compact size that is not the shortest, or trailing bytes.
        case bytes(ByteReader.ReadingError)
        /// The witness marker, followed by a flag other than 1.
        case witnessFlag(UInt8)
        /// The witness form without any witness.
        case emptyWitnesses
    }

    /// Whether the serialization includes witnesses.
    public enum Form: Sendable {
        /// The BIP-144 form when an input has a witness, otherwise the old form.
        case complete
        /// Without witnesses: the bytes that the transaction id hashes.
        case withoutWitnesses
    }

    /// Version, as an unsigned number.
    public var version: UInt32
    /// The inputs, which spend coins.
    public var inputs: [TransactionInput]
    /// The outputs, which pay scripts.
    public var outputs: [TransactionOutput]
    /// nLockTime: a block height below 500 000 000, else seconds since 1970.
    public var lockTime: UInt32

    /// Any transaction: nothing is checked.
    /// - Parameter lockTime: a block height below 500 000 000, otherwise seconds since 1970; it applies only if an input's sequence is below 0xFFFFFFFF.
    public init(version: UInt32 = 2, inputs: [TransactionInput], outputs: [TransactionOutput], lockTime: UInt32 = 0) {
        self.version = version
        self.inputs = inputs
        self.outputs = outputs
        self.lockTime = lockTime
    }

    /// Reads a transaction that takes up all of `bytes`.
    /// - Parameter allowsWitnesses: if false, only the old form is read, in which a transaction may have no inputs.
    ///
    /// Spec: BIP-144, "Serialization".
    public init(
        serialized bytes: some BidirectionalCollection<UInt8>, allowsWitnesses: Bool = true
    ) throws(ParsingError) {
        var reader = ByteReader(bytes)
        try self.init(from: &reader, allowsWitnesses: allowsWitnesses)
        do { try reader.expectEnd() } catch { throw .bytes(error) }
    }

    /// Reads the next transaction, as in a block; otherwise like `init(serialized:allowsWitnesses:)`.
    package init(from reader: inout ByteReader, allowsWitnesses: Bool = true) throws(ParsingError) {
        self.init(version: 0, inputs: [], outputs: [])
        let flag: UInt8?
        do { flag = try read(from: &reader, allowsWitnesses: allowsWitnesses) } catch { throw .bytes(error) }
        if let flag {
            guard flag == 1 else { throw .witnessFlag(flag) }
            guard inputs.contains(where: { !$0.witness.isEmpty }) else { throw .emptyWitnesses }
        }
    }

    /// Fills an empty transaction; stops at an unknown witness flag.
    /// - Returns: the witness flag, if there is one.
    private mutating func read(
        from reader: inout ByteReader, allowsWitnesses: Bool
    ) throws(ByteReader.ReadingError) -> UInt8? {
        version = try reader.littleEndian()
        var flag: UInt8?
        var inputCount = try reader.compactSize()
        if allowsWitnesses, inputCount == 0, let next = reader.peek(), next != 0 {
            flag = try reader.byte()
            guard flag == 1 else { return flag }
            inputCount = try reader.compactSize()
        }
        inputs.reserveCapacity(Int(min(inputCount, UInt64(reader.remaining / 41))))
        for _ in 0..<inputCount { inputs.append(try TransactionInput(from: &reader)) }
        let outputCount = try reader.compactSize()
        outputs.reserveCapacity(Int(min(outputCount, UInt64(reader.remaining / 9))))
        for _ in 0..<outputCount { outputs.append(try TransactionOutput(from: &reader)) }
        if flag != nil {
            for index in inputs.indices { try inputs[index].readWitness(from: &reader) }
        }
        lockTime = try reader.littleEndian()
        return flag
    }

    /// The complete transaction in hexadecimal.
    package var hexText: String { Hex.encode(serialized()) }

    /// The bytes of the transaction.
    public func serialized(_ form: Form = .complete) -> [UInt8] {
        let hasWitnesses = form == .complete && inputs.contains { !$0.witness.isEmpty }
        var bytes: [UInt8] = []
        bytes.appendLittleEndian(version)
        if hasWitnesses { bytes += [0, 1] }
        bytes.appendCompactSize(inputs.count)
        for input in inputs { input.serialize(into: &bytes) }
        bytes.appendCompactSize(outputs.count)
        for output in outputs { output.serialize(into: &bytes) }
        if hasWitnesses {
            for input in inputs { input.serializeWitness(into: &bytes) }
        }
        bytes.appendLittleEndian(lockTime)
        return bytes
    }

    /// The transaction's id: double SHA-256 of its form without witnesses.
    public var id: TransactionID { TransactionID(hashing: serialized(.withoutWitnesses)) }

    /// Four times the size without witnesses, plus the size of the witnesses.
    ///
    /// Spec: BIP-141, "Transaction size calculations".
    public var weight: Int { 3 * serialized(.withoutWitnesses).count + serialized(.complete).count }

    /// A quarter of the weight, rounded up: the size that fee rates count.
    public var virtualSize: Int { (weight + 3) / 4 }
}

extension Transaction.ParsingError: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
        switch self {
        case .bytes(let error): error.description
        case .witnessFlag(let flag): "the witness flag is \(flag), not 1"
        case .emptyWitnesses: "the witness form has no witness"
        }
    }
}
