import ByteCodec

/// The digests of inputs without witness, with their shared parts prepared.
///
/// Every digest covers all inputs, with empty scripts for the others. So the hash up to an input is the same for all later
/// ones and is kept as a midstate; the rest is serialized once.
///
/// Spec: Bitcoin Core, `SignatureHash` with `SigVersion::BASE`.
struct LegacySighash: Sendable {
    /// The digest that consensus uses for `single` without a matching output: the number 1, little-endian.
    static let one = Digest(unchecked: [1] + [UInt8](repeating: 0, count: 31))

    /// The size of an input with an empty script, in bytes.
    private static let blankInputLength = 41

    private let version: UInt32
    private let lockTime: UInt32
    private let inputs: [TransactionInput]
    private let outputs: [TransactionOutput]
    /// Every input with an empty script.
    private let blankInputs: [UInt8]
    /// The outputs with their count.
    private let serializedOutputs: [UInt8]
    /// For each input, the hash of version, count and the blank inputs before it.
    private let midstates: [SHA256]

    init(_ transaction: Transaction) {
        version = transaction.version
        lockTime = transaction.lockTime
        inputs = transaction.inputs
        outputs = transaction.outputs

        var blankInputs: [UInt8] = []
        blankInputs.reserveCapacity(inputs.count * Self.blankInputLength)
        var midstates: [SHA256] = []
        midstates.reserveCapacity(inputs.count)
        var hasher = Self.start(version: version, inputCount: inputs.count)
        for input in inputs {
            midstates.append(hasher)
            let start = blankInputs.count
            Self.append(input, script: [], sequence: input.sequence, to: &blankInputs)
            hasher.update(blankInputs[start...])
        }
        self.blankInputs = blankInputs
        self.midstates = midstates

        var serializedOutputs: [UInt8] = []
        serializedOutputs.appendCompactSize(outputs.count)
        for output in outputs { output.serialize(into: &serializedOutputs) }
        self.serializedOutputs = serializedOutputs
    }

    /// The digest for the input with this index, which must exist.
    func digest(input: Int, scriptCode: Script, type: SighashType) -> Digest {
        if type.outputs == .single, input >= outputs.count { return Self.one }
        let script = scriptCode.withoutCodeSeparators
        var signed: [UInt8] = []
        Self.append(inputs[input], script: script.bytes, sequence: inputs[input].sequence, to: &signed)

        var hasher: SHA256
        if type.isAnyoneCanPay {
            hasher = Self.start(version: version, inputCount: 1)
            hasher.update(signed)
        } else if type.outputs == .all {
            hasher = midstates[input]
            hasher.update(signed)
            hasher.update(blankInputs[((input + 1) * Self.blankInputLength)...])
        } else {
            // The others' sequences are not covered, so no midstate fits.
            hasher = Self.start(version: version, inputCount: inputs.count)
            var others: [UInt8] = []
            for other in inputs[..<input] { Self.append(other, script: [], sequence: 0, to: &others) }
            hasher.update(others)
            hasher.update(signed)
            others.removeAll(keepingCapacity: true)
            for other in inputs[(input + 1)...] { Self.append(other, script: [], sequence: 0, to: &others) }
            hasher.update(others)
        }
        feedOutputs(to: &hasher, input: input, coverage: type.outputs)
        var end: [UInt8] = []
        end.appendLittleEndian(lockTime)
        end.appendLittleEndian(type.rawValue)
        hasher.update(end)
        return Digest(hashing: hasher.finalize())
    }

    private func feedOutputs(to hasher: inout SHA256, input: Int, coverage: SighashType.Outputs) {
        switch coverage {
        case .all: hasher.update(serializedOutputs)
        case .none: hasher.update([0])
        case .single:
            var covered: [UInt8] = []
            covered.appendCompactSize(input + 1)
            let blank = TransactionOutput(value: -1, scriptPubKey: Script())
            for _ in 0..<input { blank.serialize(into: &covered) }
            outputs[input].serialize(into: &covered)
            hasher.update(covered)
        }
    }

    private static func start(version: UInt32, inputCount: Int) -> SHA256 {
        var bytes: [UInt8] = []
        bytes.appendLittleEndian(version)
        bytes.appendCompactSize(inputCount)
        var hasher = SHA256()
        hasher.update(bytes)
        return hasher
    }

    private static func append(
        _ input: TransactionInput, script: [UInt8], sequence: UInt32, to bytes: inout [UInt8]
    ) {
        input.outpoint.serialize(into: &bytes)
        bytes.appendSized(script)
        bytes.appendLittleEndian(sequence)
    }
}

extension Script {
    /// The script without its `OP_CODESEPARATOR` operations. Pushed bytes, and everything after a truncated push, are
    /// kept.
    var withoutCodeSeparators: Script {
        guard bytes.contains(Opcode.codeSeparator.rawValue) else { return self }
        var kept: [UInt8] = []
        var iterator = ScriptElementIterator(self)
        var start = 0
        while let element = iterator.next() {
            if element.opcode != .codeSeparator { kept += bytes[start..<iterator.offset] }
            start = iterator.offset
        }
        return Script(kept + bytes[start...])
    }
}
