@testable import Bitcoin

/// What is at hand to spend an expression whose keys are letters.
struct MiniscriptAssets {
    private static let letters = Array("ABCDEFGHIJKLMNOP")
    private static let keys = letters.indices.map { number in
        required("a small number is a key") {
            try PrivateKey(SecretBytes([UInt8](repeating: UInt8(number + 1), count: 32)))
        }
    }
    private static let publicKeys = keys.map(\.publicKey.bytes)
    private static let preimages = (0..<4).map { [UInt8](repeating: $0, count: 32) }
    private static let sequences: [UInt32] = [0xFFFF_FFFE, 1, 16, 144, 0xFFFF, TimeLock.typeFlag | 5, 0]
    private static let lockTimes: [UInt32] = [0, 1, 100, 900_000, 500_000_001, 1_700_000_000]

    private let signers: Int
    private let known: Int
    let sequence: UInt32
    let lockTime: UInt32

    /// Chosen by five bytes.
    init(_ source: inout ByteSource) {
        signers = Int(source.byte()) | Int(source.byte()) << 8
        known = source.choice(16)
        sequence = source.pick(Self.sequences)
        lockTime = source.pick(Self.lockTimes)
    }

    private static func number(_ letter: Character) -> Int { letters.firstIndex(of: letter) ?? 0 }

    /// The public key of a letter: 33 bytes, in tapscript its x coordinate.
    static func key(_ letter: Character, in context: MiniscriptContext) -> [UInt8] {
        Array(publicKeys[number(letter)].suffix(context.keyLength))
    }

    /// The private key of a letter, if it signs.
    func signer(_ letter: Character) -> PrivateKey? {
        let number = Self.number(letter)
        return signers & 1 << number != 0 ? Self.keys[number] : nil
    }

    /// A preimage that is known.
    func preimage(of hash: [UInt8], _ function: PreimageHash) -> [UInt8]? {
        Self.preimages.indices.first { known & 1 << $0 != 0 && function.hash(Self.preimages[$0]) == hash }
            .map { Self.preimages[$0] }
    }
}

/// A transaction that spends a witness script.
struct MiniscriptLetterSpend: SpendingAssets {
    private let assets: MiniscriptAssets
    private let script: Script
    private let transaction: Transaction
    private let output: TransactionOutput
    private let digest: Digest
    private let locks: InputLocks

    init(_ script: Script, _ assets: MiniscriptAssets) {
        (self.script, self.assets) = (script, assets)
        output = TransactionOutput(value: 100_000, scriptPubKey: .p2wsh(script))
        let outpoint = Outpoint(transactionID: TransactionID(hashing: [1]), index: 0)
        transaction = Transaction(
            inputs: [TransactionInput(outpoint: outpoint, sequence: assets.sequence)],
            outputs: [TransactionOutput(value: 90_000, scriptPubKey: .p2wsh(script))], lockTime: assets.lockTime)
        locks = InputLocks(version: 2, sequence: assets.sequence, lockTime: assets.lockTime)
        let (transaction, amount) = (transaction, required(Amount(satoshis: 100_000), "an amount"))
        digest = required("an input has a digest") {
            try SighashCache(transaction).segwitV0Digest(input: 0, scriptCode: script, amount: amount, type: .all)
        }
    }

    /// Whether the policy is met, as its meaning says, whatever the script.
    func allows(_ policy: SpendingPolicy<Character>) -> Bool {
        switch policy {
        case .always: true
        case .never: false
        case .key(let key): assets.signer(key) != nil
        case .older(let number): locks.meets(older: number)
        case .after(let number): locks.meets(after: number)
        case .preimage(let function, let hash): assets.preimage(of: hash, function) != nil
        case .threshold(let threshold, let parts): parts.count { allows($0) } >= threshold
        }
    }

    /// Whether the interpreter accepts a witness, by the rules that finalized policies are held to.
    func isValid(_ witness: [[UInt8]]) -> Bool {
        var signed = transaction
        signed.inputs[0].witness = witness + [script.bytes]
        var verifier = required(SpendVerifier(signed, spentOutputs: [output]), "every input has its output")
        return (try? verifier.verify(input: 0, rules: PSBT.policyRules)) != nil
    }

    func signature(of key: Character) -> [UInt8]? {
        assets.signer(key).map { PartialSignature($0.sign(digest: digest), by: $0.publicKey).signature }
    }

    func publicKey(of key: Character) -> [UInt8]? { MiniscriptAssets.key(key, in: .p2wsh) }

    func preimage(of hash: [UInt8], _ function: PreimageHash) -> [UInt8]? { assets.preimage(of: hash, function) }
    func isOpen(olderThan number: UInt32) -> Bool { locks.meets(older: number) }
    func isOpen(after number: UInt32) -> Bool { locks.meets(after: number) }
}
