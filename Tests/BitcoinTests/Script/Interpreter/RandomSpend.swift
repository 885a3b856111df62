import Bitcoin
import ByteCodec
import TestSupport

/// A random transaction one of whose inputs spends an output of a kind that tapkit can spend, rightly or with a fault.
struct RandomSpend {
    /// What is wrong with it; most faults concern some kinds only, and leave others right.
    enum Fault: CaseIterable {
        case none, signatureBit, otherKey, otherDigest, unknownType, wrongTypeByte, highS, emptySignature
        case looseDER, dummy, swappedSignatures, repeatedSignature, missingItem, extraItem, amount, output, sequence
        case uncompressedKey, hybridKey, longPush, operationInScriptSig, scriptSigBesideWitness
        case witnessBesideScriptSig, otherScript, allEmpty, witnessScriptTwice
    }

    let kind: SpendingForm
    let fault: Fault
    let transaction: Transaction
    let spentOutputs: [TransactionOutput]
    let input: Int

    private static let types: [SighashType] = [SighashType.all, .none, .single].flatMap { [$0, $0.withAnyoneCanPay] }
    /// Keys are made once: random ones tell nothing more.
    private static let signers: [Signer] = (1...40).compactMap { try? Signer(number: $0) }

    struct Signer {
        let key: PrivateKey
        let compressed: [UInt8]
        let uncompressed: [UInt8]

        init(number: UInt8) throws {
            key = try PrivateKey(SecretBytes([UInt8](repeating: number, count: 32)))
            compressed = key.publicKey.bytes
            uncompressed = key.publicKey.uncompressedBytes
        }

        /// The old encoding that says both coordinates and the parity.
        var hybrid: [UInt8] { [6 + (compressed[0] & 1)] + uncompressed.dropFirst() }
    }

    init(using generator: inout SeededGenerator) throws {
        kind = SpendingForm.allCases.randomElement(using: &generator) ?? .p2wpkh
        fault =
            Int.random(in: 0..<4, using: &generator) == 0
            ? .none : Fault.allCases.randomElement(using: &generator) ?? .none
        let kind = kind
        let fault = fault
        let signers = Array(
            Self.signers.shuffled(using: &generator).prefix(
                kind.isMultisig ? Int.random(in: 1...5, using: &generator) : 1))
        let threshold = kind.isMultisig ? Int.random(in: 1...signers.count, using: &generator) : 1
        let encodings = signers.map { Self.encoding(of: $0, kind: kind, fault: fault) }

        let inner: Script
        switch kind {
        case .p2pk, .p2pkUncompressed, .p2shP2PK, .p2wshP2PK, .p2shP2WSHP2PK:
            inner = Script([UInt8(encodings[0].count)] + encodings[0] + [Opcode.checkSignature.rawValue])
        case .p2pkh, .p2pkhUncompressed, .p2shP2PKH, .p2wshP2PKH, .p2shP2WSHP2PKH, .p2wpkh, .p2shP2WPKH:
            inner = Script.p2pkh(keyHash: Hash160.hash(encodings[0])) ?? Script()
        case .bareMultisig, .p2shMultisig, .p2wshMultisig, .p2shP2WSHMultisig:
            let keys = encodings.flatMap { [UInt8($0.count)] + $0 }
            inner = Script(
                [0x50 + UInt8(threshold)] + keys + [0x50 + UInt8(encodings.count), Opcode.checkMultisig.rawValue])
        }
        let program = Script([0, 20] + Hash160.hash(encodings[0]))
        let isWitness = !kind.isLegacy
        let isNested: Bool
        var output: Script
        switch kind {
        case .p2pk, .p2pkUncompressed, .p2pkh, .p2pkhUncompressed, .bareMultisig: (output, isNested) = (inner, false)
        case .p2shP2PK, .p2shP2PKH, .p2shMultisig: (output, isNested) = (.p2sh(inner), true)
        case .p2wpkh: (output, isNested) = (program, false)
        case .p2shP2WPKH: (output, isNested) = (.p2sh(program), true)
        case .p2wshP2PK, .p2wshP2PKH, .p2wshMultisig: (output, isNested) = (.p2wsh(inner), false)
        case .p2shP2WSHP2PK, .p2shP2WSHP2PKH, .p2shP2WSHMultisig: (output, isNested) = (.p2sh(.p2wsh(inner)), true)
        }

        // The transaction, with random others beside.
        let inputCount = Int.random(in: 1...3, using: &generator)
        input = Int.random(in: 0..<inputCount, using: &generator)
        var transaction = Transaction(
            version: UInt32.random(in: 1...2, using: &generator), inputs: [], outputs: [],
            lockTime: Bool.random(using: &generator) ? 0 : UInt32(truncatingIfNeeded: generator.next()))
        for _ in 0..<inputCount {
            let id = Transaction(inputs: [], outputs: [], lockTime: UInt32(truncatingIfNeeded: generator.next())).id
            transaction.inputs.append(
                TransactionInput(
                    outpoint: Outpoint(transactionID: id, index: UInt32.random(in: 0...3, using: &generator)),
                    sequence: Bool.random(using: &generator) ? .max : UInt32(truncatingIfNeeded: generator.next())))
        }
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            transaction.outputs.append(
                TransactionOutput(
                    value: Int64.random(in: 0...1_000_000_000, using: &generator),
                    scriptPubKey: Script([0, 20] + generator.bytes(20...20))))
        }
        let amount = Int64.random(in: 1...2_100_000_000_000_000, using: &generator)

        // Signatures.
        let cache = SighashCache(transaction)
        var chosen = Array(signers.indices.shuffled(using: &generator).prefix(threshold)).sorted()
        if fault == .swappedSignatures { chosen.reverse() }
        var signatures: [[UInt8]] = []
        for (place, index) in chosen.enumerated() {
            let isFaulty = place == chosen.count - 1
            let signer =
                isFaulty && fault == .otherKey
                ? Self.signers[(Int(signers[index].compressed[5]) + 1) % 40] : signers[index]
            var type = Self.types.randomElement(using: &generator) ?? .all
            if isFaulty, fault == .unknownType {
                type = SighashType(rawValue: UInt32.random(in: 0...255, using: &generator))
            }
            let value = amount + (isFaulty && fault == .otherDigest ? 1 : 0)
            let code = isFaulty && fault == .otherDigest && !isWitness ? Script([0x51]) : inner
            let digest =
                isWitness
                ? try cache.segwitV0Digest(
                    input: input, scriptCode: code, amount: Amount(satoshis: value) ?? .zero, type: type)
                : try cache.legacyDigest(input: input, scriptCode: code, type: type)
            signatures.append(
                Self.encode(
                    signer.key.sign(digest: digest), type, isFaulty ? fault : .none, &generator))
        }
        if fault == .allEmpty { signatures = signatures.map { _ in [] } }
        // One cosigner alone, who signs for the others, too.
        if fault == .repeatedSignature { signatures = [[UInt8]](repeating: signatures[0], count: signatures.count) }

        // The stack, and how it is said.
        var stack: [[UInt8]]
        switch kind {
        case .bareMultisig, .p2shMultisig, .p2wshMultisig, .p2shP2WSHMultisig:
            stack = [fault == .dummy ? [[1], [0], [0x80], [1, 2]][Int(generator.next() % 4)] : []] + signatures
        case .p2pk, .p2pkUncompressed, .p2shP2PK, .p2wshP2PK, .p2shP2WSHP2PK: stack = signatures
        default: stack = signatures + [encodings[0]]
        }
        switch fault {
        case .missingItem: stack.remove(at: Int.random(in: 0..<stack.count, using: &generator))
        case .extraItem:
            stack.insert(generator.bytes(0...3), at: Int.random(in: 0...stack.count, using: &generator))
        default: break
        }
        var opening = kind == .p2wpkh || kind == .p2shP2WPKH || (!isNested && !isWitness) ? [] : [inner.bytes]
        if fault == .otherScript, !opening.isEmpty { opening[0][opening[0].count / 2] ^= 1 }
        if fault == .witnessScriptTwice { opening += opening }
        var scriptSig = Script(pushing: isWitness ? [] : stack + opening)
        if isWitness {
            transaction.inputs[input].witness = stack + opening
            let inside: Script = kind == .p2shP2WPKH ? program : .p2wsh(inner)
            if isNested { scriptSig = Script(pushing: [inside.bytes]) }
        }
        switch fault {
        case .longPush:
            // The first push by an operation that is longer than needed.
            if let first = stack.first, !isWitness {
                scriptSig = Script(
                    [0x4D, UInt8(first.count & 0xFF), UInt8(first.count >> 8)] + first
                        + Script(pushing: Array(stack.dropFirst()) + opening).bytes)
            }
        case .operationInScriptSig: scriptSig = Script([0x61] + scriptSig.bytes)
        case .scriptSigBesideWitness: scriptSig = Script([0x51] + scriptSig.bytes)
        case .witnessBesideScriptSig where !isWitness: transaction.inputs[input].witness = [[1]]
        default: break
        }
        transaction.inputs[input].scriptSig = scriptSig

        // What is signed and not said.
        var spentAmount = amount
        switch fault {
        case .amount: spentAmount -= 1
        case .output: transaction.outputs[0].value += 1
        case .sequence: transaction.inputs[input].sequence ^= 1
        default: break
        }
        var spentOutputs = (0..<inputCount).map { _ in
            TransactionOutput(value: 1, scriptPubKey: Script([0, 20] + [UInt8](repeating: 7, count: 20)))
        }
        spentOutputs[input] = TransactionOutput(value: spentAmount, scriptPubKey: output)
        self.spentOutputs = spentOutputs
        self.transaction = transaction
    }

    private static func encoding(of signer: Signer, kind: SpendingForm, fault: Fault) -> [UInt8] {
        switch fault {
        case .uncompressedKey: return signer.uncompressed
        case .hybridKey: return signer.hybrid
        default:
            let isUncompressed = kind == .p2pkUncompressed || kind == .p2pkhUncompressed
            return isUncompressed ? signer.uncompressed : signer.compressed
        }
    }

    /// DER with the type behind it, as far as the fault lets it be.
    private static func encode(
        _ signature: ECDSASignature, _ type: SighashType, _ fault: Fault, _ generator: inout SeededGenerator
    ) -> [UInt8] {
        var bytes = signature.der + [type.byte ?? 1]
        switch fault {
        case .signatureBit:
            let bit = Int.random(in: 0..<bytes.count * 8, using: &generator)
            bytes[bit / 8] ^= 1 << (bit % 8)
        case .wrongTypeByte: bytes[bytes.count - 1] ^= [1, 2, 3, 0x80][Int(generator.next() % 4)]
        case .highS: bytes = highS(signature).der + [type.byte ?? 1]
        case .emptySignature: bytes = []
        case .looseDER: bytes = looselyEncoded(signature, &generator) + [type.byte ?? 1]
        default: break
        }
        return bytes
    }

    /// The same signature with the other S: the group order minus S.
    private static func highS(_ signature: ECDSASignature) -> ECDSASignature {
        let order: [UInt8] =
            [UInt8](repeating: 0xFF, count: 15) + [
                0xFE, 0xBA, 0xAE, 0xDC, 0xE6, 0xAF, 0x48, 0xA0, 0x3B, 0xBF, 0xD2, 0x5E, 0x8C, 0xD0, 0x36, 0x41, 0x41,
            ]
        var s: [UInt8] = []
        var borrow = 0
        for (one, other) in zip(order, signature.compact.suffix(32)).reversed() {
            let difference = Int(one) - Int(other) - borrow
            borrow = difference < 0 ? 1 : 0
            s.insert(UInt8((difference + 256) % 256), at: 0)
        }
        return ECDSASignature(compact: signature.compact.prefix(32) + s) ?? signature
    }

    /// Forms that parsers before BIP-66 took: padded numbers, a longer length, bytes behind the end.
    private static func looselyEncoded(_ signature: ECDSASignature, _ generator: inout SeededGenerator) -> [UInt8] {
        let der = signature.der
        switch generator.next() % 4 {
        case 0: return [der[0], der[1] + 1, der[2], der[3] + 1, 0] + der[4...]
        case 1: return [der[0], 0x81] + der[1...]
        case 2: return der + [0]
        default: return [0x31] + der.dropFirst()
        }
    }
}
