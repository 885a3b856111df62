import ByteCodec

/// The digests of taproot inputs, with what they share prepared.
///
/// Spec: BIP-341, "Common signature message"; BIP-342 for scripts.
public struct TaprootSighash: Sendable {
    /// Where a signature stands in a script.
    public struct Leaf: Hashable, Sendable {
        /// The tagged hash of the leaf, 32 bytes.
        public let hash: [UInt8]
        /// The number of the last `OP_CODESEPARATOR` run, or 0xFFFFFFFF.
        public let codeSeparatorPosition: UInt32

        /// - Parameters:
        ///   - hash: 32 bytes, the leaf's.
        ///   - codeSeparatorPosition: the opcode position of the last OP_CODESEPARATOR that ran; all bits set: none did.
        public init(hash: [UInt8], codeSeparatorPosition: UInt32 = 0xFFFF_FFFF) {
            self.hash = hash
            self.codeSeparatorPosition = codeSeparatorPosition
        }
    }

    private let transaction: Transaction
    private let spentOutputs: [TransactionOutput]
    /// SHA-256 of outpoints, values, scripts and sequences, one after the other.
    private let inputsHashes: [UInt8]
    private let outputsHash: [UInt8]

    /// Prepares for a transaction; time and memory grow with its size.
    /// - Parameter spentOutputs: what each input spends; `nil` is returned when their number is not that of the inputs.
    public init?(_ transaction: Transaction, spentOutputs: [TransactionOutput]) {
        guard transaction.inputs.count == spentOutputs.count else { return nil }
        self.transaction = transaction
        self.spentOutputs = spentOutputs
        inputsHashes =
            Self.hash(transaction.inputs) { $0.outpoint.serialize(into: &$1) }
            + Self.hash(spentOutputs) { $1.appendLittleEndian($0.value) }
            + Self.hash(spentOutputs) { $1.appendSized($0.scriptPubKey.bytes) }
            + Self.hash(transaction.inputs) { $1.appendLittleEndian($0.sequence) }
        outputsHash = Self.hash(transaction.outputs) { $0.serialize(into: &$1) }
    }

    /// The digest that a Schnorr signature is made over.
    ///
    /// `nil` when there is no such input, the type is not 0 (DEFAULT) or one of the six standard ones, or it is SINGLE
    /// and no output has the input's number.
    /// - Parameters:
    ///   - index: the input's number, from 0.
    ///   - annexHash: SHA-256 of the annex with its length in front, where there is an annex.
    ///   - leaf: where the signature stands in a script; `nil` for the key path.
    public func digest(
        input index: Int, type: SighashType, annexHash: [UInt8]? = nil, leaf: Leaf? = nil
    ) -> Digest? {
        guard transaction.inputs.indices.contains(index), let typeByte = type.byte,
            typeByte == 0 || type.isStandard
        else { return nil }
        let coverage = typeByte == 0 ? .all : type.outputs
        var message: [UInt8] = [0, typeByte]
        message.appendLittleEndian(transaction.version)
        message.appendLittleEndian(transaction.lockTime)
        if !type.isAnyoneCanPay { message += inputsHashes }
        if coverage == .all { message += outputsHash }
        message.append((leaf == nil ? 0 : 2) + (annexHash == nil ? 0 : 1))
        if type.isAnyoneCanPay {
            transaction.inputs[index].outpoint.serialize(into: &message)
            spentOutputs[index].serialize(into: &message)
            message.appendLittleEndian(transaction.inputs[index].sequence)
        } else {
            message.appendLittleEndian(UInt32(truncatingIfNeeded: index))
        }
        if let annexHash { message += annexHash }
        if coverage == .single {
            guard transaction.outputs.indices.contains(index) else { return nil }
            message += Self.hash(transaction.outputs[index...index]) { $0.serialize(into: &$1) }
        }
        if let leaf {
            message += leaf.hash
            message.append(0)  // the version of keys in scripts
            message.appendLittleEndian(leaf.codeSeparatorPosition)
        }
        return Digest(unchecked: SHA256.taggedHash("TapSighash", message))
    }

    private static func hash<Element>(
        _ elements: some Sequence<Element>, serialize: (Element, inout [UInt8]) -> Void
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        for element in elements { serialize(element, &bytes) }
        return SHA256.hash(bytes)
    }
}
