import ByteCodec

/// The digests of taproot inputs, with their shared parts prepared.
///
/// Spec: BIP-341, "Common signature message"; BIP-342 for scripts.
public struct TaprootSighash: Sendable {
    /// The place of a signature in a script.
    public struct Leaf: Hashable, Sendable {
        /// The tagged hash of the leaf, 32 bytes.
        public let hash: [UInt8]
        /// The position of the last executed `OP_CODESEPARATOR`, or 0xFFFFFFFF.
        public let codeSeparatorPosition: UInt32

        /// - Parameters:
        ///   - hash: the leaf's hash, 32 bytes.
        ///   - codeSeparatorPosition: the opcode position of the last executed OP_CODESEPARATOR; all bits set if none.
        public init(hash: [UInt8], codeSeparatorPosition: UInt32 = 0xFFFF_FFFF) {
            self.hash = hash
            self.codeSeparatorPosition = codeSeparatorPosition
        }
    }

    private let transaction: Transaction
    private let spentOutputs: [TransactionOutput]
    /// SHA-256 of outpoints, values, scripts and sequences, in this order.
    private let inputsHashes: [UInt8]
    private let outputsHash: [UInt8]

    /// Prepares a transaction; time and memory grow with its size.
    /// - Parameter spentOutputs: what each input spends; returns `nil` when their number differs from that of the inputs.
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

    /// The digest that a Schnorr signature covers.
    ///
    /// `nil` when there is no such input, the type is not 0 (DEFAULT) or one of the six standard ones, or it is SINGLE
    /// and there is no output at the input's index.
    /// - Parameters:
    ///   - index: the input's index, from 0.
    ///   - annexHash: SHA-256 of the annex, preceded by its length, if there is an annex.
    ///   - leaf: the signature's place in a script; `nil` for the key path.
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
            message.append(0)  // the key version in scripts
            message.appendLittleEndian(leaf.codeSeparatorPosition)
        }
        return Digest(taggedHash: "TapSighash", message)
    }

    private static func hash<Element>(
        _ elements: some Sequence<Element>, serialize: (Element, inout [UInt8]) -> Void
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        for element in elements { serialize(element, &bytes) }
        return SHA256.hash(bytes)
    }
}
