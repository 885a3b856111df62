import ByteCodec

/// The digests of inputs with a witness of version 0, with the three shared hashes prepared.
///
/// Spec: BIP-143, "Specification".
struct SegwitSighash: Sendable {
    private static let zeros = [UInt8](repeating: 0, count: SHA256.digestLength)

    /// Version, inputs, outputs and lock time; the inputs' scripts and witnesses are ignored.
    private let transaction: Transaction
    /// Double SHA-256 of all outpoints.
    let hashPrevouts: [UInt8]
    /// Double SHA-256 of all sequences.
    let hashSequence: [UInt8]
    /// Double SHA-256 of all outputs.
    let hashOutputs: [UInt8]

    init(_ transaction: Transaction) {
        self.transaction = transaction
        hashPrevouts = Self.hash(transaction.inputs) { $0.outpoint.serialize(into: &$1) }
        hashSequence = Self.hash(transaction.inputs) { $1.appendLittleEndian($0.sequence) }
        hashOutputs = Self.hash(transaction.outputs) { $0.serialize(into: &$1) }
    }

    /// The digest for the input with this index, which must exist.
    func digest(input index: Int, scriptCode: Script, amount: Amount, type: SighashType) -> Digest {
        let input = transaction.inputs[index]
        var preimage: [UInt8] = []
        preimage.reserveCapacity(160 + scriptCode.bytes.count)
        preimage.appendLittleEndian(transaction.version)
        preimage += type.isAnyoneCanPay ? Self.zeros : hashPrevouts
        preimage += type.isAnyoneCanPay || type.outputs != .all ? Self.zeros : hashSequence
        input.outpoint.serialize(into: &preimage)
        preimage.appendSized(scriptCode.bytes)
        preimage.appendLittleEndian(amount.satoshis)
        preimage.appendLittleEndian(input.sequence)
        preimage += outputsHash(input: index, coverage: type.outputs)
        preimage.appendLittleEndian(transaction.lockTime)
        preimage.appendLittleEndian(type.rawValue)
        return Digest(doubleHashing: preimage)
    }

    private func outputsHash(input index: Int, coverage: SighashType.Outputs) -> [UInt8] {
        switch coverage {
        case .all: hashOutputs
        case .single where index < transaction.outputs.count:
            Self.hash(transaction.outputs[index...index]) { $0.serialize(into: &$1) }
        case .single, .none: Self.zeros
        }
    }

    private static func hash<Element>(
        _ elements: some Sequence<Element>, serialize: (Element, inout [UInt8]) -> Void
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        for element in elements { serialize(element, &bytes) }
        return SHA256.doubleHash(bytes)
    }
}
