import ByteCodec
import TestSupport
import Testing

@testable import Bitcoin

/// Signed messages are verified in time that grows with the message, the signature and what a proof of funds spends.
///
/// Inputs without witness are left out: their digests take time with the square of their number, as consensus has it. The
/// weight of a block bounds them.
@Suite struct MessageScalingTests {
    private static let type = SighashType.all
    /// Anybody can open it, without a signature: where verifying one would hide all else.
    private static let anyone = Script([0x51])

    private let key: PrivateKey

    init() throws { key = try BIP137Tests.key(7) }

    private func message(_ size: Int) -> [UInt8] { [UInt8](repeating: 0x61, count: size) }

    private func expectLinear(
        _ what: String, from start: Int = 64, upTo most: Int, isValid: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ signed: (Int) throws -> (message: [UInt8], script: Script, signature: String)
    ) throws {
        try Scaling.expectLinear(what, from: start, upTo: most, sourceLocation: sourceLocation, input: signed) {
            signed in
            let verdict = SignedMessage.verify(
                message: signed.message, scriptPubKey: signed.script, signature: signed.signature)
            #expect(verdict.isValid == isValid, "\(verdict.outcome)", sourceLocation: sourceLocation)
        }
    }

    // MARK: Messages

    @Test func recoverableSignatures() throws {
        for type in BIP137Signature.AddressType.allCases {
            try expectLinear("bytes of a message, \(type)", from: 1 << 16, upTo: 1 << 22) { size in
                let digest = BIP137Signature.digest(of: message(size))
                let signature = try BIP137Signature(
                    key.sign(digest: digest), digest: digest, publicKey: key.publicKey, addressType: type)
                return (message(size), type.scriptPubKey(for: key.publicKey), signature.encoded.description)
            }
        }
    }

    @Test func simpleAndFull() throws {
        let script = Script.p2wpkh(key.publicKey)
        try expectLinear("bytes of a message, simple", from: 1 << 16, upTo: 1 << 22) { size in
            let signing = try BIP322.SimpleSigning(
                message: message(size), scriptPubKey: script, publicKey: key.publicKey)
            return (message(size), script, try signing.encoded(key.sign(digest: signing.digest)).description)
        }
        try expectLinear("bytes of a message, full", from: 1 << 16, upTo: 1 << 22) { size in
            let digest = try #require(BIP322.simpleDigest(message: message(size), keyHash: key.publicKey.hash160))
            var signed = BIP322.toSign(spending: BIP322.toSpend(message: message(size), scriptPubKey: script))
            signed.inputs[0].witness = [key.sign(digest: digest).der + [0x01], key.publicKey.bytes]
            return (message(size), script, "ful" + Base64.encode(signed.serialized()))
        }
    }

    // MARK: Funds

    /// A proof of funds for an address, with so many outputs that are spent.
    private func proof(
        _ size: Int, by script: Script, _ previous: PreviousTransaction? = nil,
        witness: (SighashCache, Int) throws -> [[UInt8]]
    ) throws -> (message: [UInt8], script: Script, signature: String) {
        let id = try previous?.txid ?? #require(TransactionID([UInt8](repeating: 1, count: 32)))
        var toSign = BIP322.toSign(spending: BIP322.toSpend(message: message(10), scriptPubKey: script))
        toSign.inputs += (0..<size).map {
            TransactionInput(outpoint: Outpoint(transactionID: id, index: UInt32($0)), sequence: 0)
        }
        var psbt = try PSBT(unsignedTransaction: toSign)
        let cache = SighashCache(toSign)
        for index in psbt.inputs.indices {
            psbt[input: index].finalWitness = try witness(cache, index)
            guard index > 0, previous == nil else { continue }
            psbt[input: index].witnessUTXO = TransactionOutput(value: 1_000, scriptPubKey: script)
        }
        if let previous, psbt.inputs.count > 1 { psbt[input: 1].nonWitnessUTXO = previous }
        return (message(10), script, "pof" + Base64.encode(psbt.serialized()))
    }

    @Test func funds() throws {
        let scriptCode = Script.p2pkh(key.publicKey)
        try expectLinear("inputs with signatures", from: 4, upTo: 256) { size in
            try proof(size, by: .p2wpkh(key.publicKey)) { cache, index in
                let amount = try #require(Amount(satoshis: index == 0 ? 0 : 1_000))
                let digest = try cache.segwitV0Digest(
                    input: index, scriptCode: scriptCode, amount: amount, type: Self.type)
                return [key.sign(digest: digest).der + [0x01], key.publicKey.bytes]
            }
        }
        let script = Script.p2wsh(Self.anyone)
        try expectLinear("inputs without signatures", from: 256, upTo: 1 << 14) { size in
            try proof(size, by: script) { _, _ in [Self.anyone.bytes] }
        }
        // The previous transaction stands at one of the inputs that spend it.
        let id = try #require(TransactionID([UInt8](repeating: 2, count: 32)))
        try expectLinear("inputs that spend outputs of one transaction", from: 256, upTo: 1 << 14) { size in
            let output = TransactionOutput(value: 1_000, scriptPubKey: script)
            let previous = Transaction(
                inputs: [TransactionInput(outpoint: Outpoint(transactionID: id, index: 0))],
                outputs: .init(repeating: output, count: size))
            return try proof(size, by: script, PreviousTransaction(previous)) { _, _ in [Self.anyone.bytes] }
        }
    }

    // MARK: Signatures

    @Test func witnesses() throws {
        // Each operation takes an item away; the script's own stands below.
        try expectLinear("items of a witness", from: 25, upTo: 200) { size in
            let script = Script([0x51] + [UInt8](repeating: 0x77, count: size))
            return (message(10), .p2wsh(script), Self.simple([[UInt8]](repeating: [1], count: size) + [script.bytes]))
        }
        for size in [1, 520] {
            try expectLinear("items of a witness that are too many, each \(size) long", upTo: 7_000, isValid: false) {
                let items = [[UInt8]](repeating: [UInt8](repeating: 1, count: size), count: $0)
                return (message(10), .p2wsh(Self.anyone), Self.simple(items + [Self.anyone.bytes]))
            }
        }
    }

    @Test func whatIsRefused() throws {
        for (what, piece) in [("letters", "AAAA"), ("accents", "\u{301}\u{316}"), ("white space", " \n\r\t")] {
            try expectLinear(what, from: 1_024, upTo: 1 << 18, isValid: false) { size in
                (message(10), Self.anyone, String(repeating: piece, count: size))
            }
        }
        let toSign = BIP322.toSign(spending: BIP322.toSpend(message: message(10), scriptPubKey: Self.anyone))
        try expectLinear("inputs of a whole transaction", upTo: 1 << 14, isValid: false) { size in
            var transaction = toSign
            transaction.inputs += (0..<size).map { index in
                TransactionInput(outpoint: Outpoint(transactionID: toSign.id, index: UInt32(index)))
            }
            return (message(10), Self.anyone, "ful" + Base64.encode(transaction.serialized()))
        }
        try expectLinear("outputs of a whole transaction", upTo: 1 << 16, isValid: false) { size in
            var transaction = toSign
            transaction.outputs = .init(repeating: toSign.outputs[0], count: size)
            return (message(10), Self.anyone, "ful" + Base64.encode(transaction.serialized()))
        }
    }

    /// The bounds, and that they are named.
    @Test func bounds() {
        let text = String(repeating: "A", count: SignedMessage.maximumTextLength + 1)
        let verdict = SignedMessage.verify(message: [], scriptPubKey: Self.anyone, signature: text)
        #expect(verdict.outcome == .invalid(.tooLarge(limit: SignedMessage.maximumTextLength)))
        // Within that, a transaction that is heavier than a block.
        let weight = BIP322Verification.maximumWeight
        let heavy = Self.simple([[UInt8](repeating: 0, count: weight), Self.anyone.bytes])
        #expect(heavy.utf8.count <= SignedMessage.maximumTextLength)
        let other = SignedMessage.verify(message: [], scriptPubKey: .p2wsh(Self.anyone), signature: heavy)
        #expect(other.outcome == .invalid(.tooLarge(limit: weight)))
        for limit in [SignedMessage.maximumTextLength, weight] {
            #expect(MessageFault.tooLarge(limit: limit).description.contains("\(limit)"))
        }
    }

    private static func simple(_ witness: [[UInt8]]) -> String {
        var bytes: [UInt8] = []
        bytes.appendWitnessStack(witness)
        return "smp" + Base64.encode(bytes)
    }
}
