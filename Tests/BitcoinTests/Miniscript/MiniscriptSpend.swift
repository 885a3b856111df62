import TestSupport

@testable import Bitcoin

/// A transaction that spends an expression with some of what it asks for.
struct MiniscriptSpend: SpendingAssets {
    let expression: Miniscript<Int>
    private let keys: [PrivateKey]
    private let signers: Set<Int>
    private let preimages: Set<UInt8>
    private let locks: InputLocks
    private let unsigned: Transaction
    let script: Script
    let output: TransactionOutput
    private let digest: Digest
    private let isNested: Bool

    init(
        _ expression: Miniscript<Int>, keys: [PrivateKey], isNested: Bool = false, using random: inout SeededGenerator
    ) {
        (self.expression, self.keys, self.isNested) = (expression, keys, isNested)
        // Often all of them: else hardly anything large would be spent.
        let isGenerous = random.next(below: 2) == 0
        var chosen: Set<Int> = []
        for key in keys.indices where isGenerous || random.next(below: 2) == 0 { chosen.insert(key) }
        signers = chosen
        var known: Set<UInt8> = []
        for number in 0..<RandomMiniscript.preimageCount where isGenerous || random.next(below: 2) == 0 {
            known.insert(number)
        }
        preimages = known
        let sequence = random.next(below: 4) == 0 ? 0xFFFF_FFFE : (Self.relative(&random))
        let lockTime = Self.absolute(&random)
        locks = InputLocks(version: 2, sequence: sequence, lockTime: lockTime)
        script = expression.script { .key(keys[$0].publicKey.bytes) }
        output = TransactionOutput(
            value: 100_000, scriptPubKey: isNested ? .p2sh(.p2wsh(script)) : .p2wsh(script))
        let outpoint = Outpoint(transactionID: TransactionID(hashing: [1]), index: 0)
        unsigned = Transaction(
            inputs: [TransactionInput(outpoint: outpoint, sequence: sequence)],
            outputs: [TransactionOutput(value: 90_000, scriptPubKey: .p2wsh(script))], lockTime: lockTime)
        digest =
            (try? SighashCache(unsigned).segwitV0Digest(
                input: 0, scriptCode: script, amount: Amount(satoshis: 100_000) ?? .zero, type: .all))
            ?? LegacySighash.one
    }

    private static func relative(_ random: inout SeededGenerator) -> UInt32 {
        let lock = RandomMiniscript.relativeLocks[random.next(below: RandomMiniscript.relativeLocks.count)]
        return random.next(below: 3) == 0 ? lock - 1 : lock
    }

    private static func absolute(_ random: inout SeededGenerator) -> UInt32 {
        let lock = RandomMiniscript.absoluteLocks[random.next(below: RandomMiniscript.absoluteLocks.count)]
        return random.next(below: 3) == 0 ? lock - 1 : lock
    }

    /// The items without the script; `nil` if there is no way that others could not alter.
    var witness: [[UInt8]]? { expression.witness(with: self) }

    /// Whether the policy is met, as its meaning says, whatever the script.
    var isAllowed: Bool { allows(SpendingPolicy(expression)) }

    private func allows(_ policy: SpendingPolicy<Int>) -> Bool {
        switch policy {
        case .always: true
        case .never: false
        case .key(let key): signers.contains(key)
        case .older(let number): locks.meets(older: number)
        case .after(let number): locks.meets(after: number)
        case .preimage(let function, let hash): preimage(of: hash, function) != nil
        case .threshold(let threshold, let parts): parts.count { allows($0) } >= threshold
        }
    }

    func transaction(_ witness: [[UInt8]]) -> Transaction {
        var transaction = unsigned
        transaction.inputs[0].witness = witness + [script.bytes]
        return transaction
    }

    /// An input with the signatures and preimages at hand.
    func psbt() throws -> PSBT {
        var psbt = try PSBT(unsignedTransaction: unsigned)
        psbt[input: 0].witnessUTXO = output
        psbt[input: 0].witnessScript = script
        if isNested { psbt[input: 0].redeemScript = .p2wsh(script) }
        let own = Set(expression.keys)
        psbt.addPartialSignatures(
            own.filter(signers.contains).map {
                PartialSignature(keys[$0].sign(digest: digest), by: keys[$0].publicKey)
            },
            toInput: 0)
        for key in own {
            psbt[input: 0].addDerivation(
                KeyDerivation(
                    publicKey: keys[key].publicKey.bytes, fingerprint: Fingerprint(of: keys[key].publicKey),
                    path: DerivationPath()))
        }
        for number in preimages {
            for function in PreimageHash.allCases {
                psbt[input: 0].addPreimage(RandomMiniscript.preimage(number), of: function)
            }
        }
        return psbt
    }

    // MARK: SpendingAssets

    func signature(of key: Int) -> [UInt8]? {
        guard signers.contains(key) else { return nil }
        return PartialSignature(keys[key].sign(digest: digest), by: keys[key].publicKey).signature
    }

    func publicKey(of key: Int) -> [UInt8]? { keys[key].publicKey.bytes }

    func preimage(of hash: [UInt8], _ function: PreimageHash) -> [UInt8]? {
        preimages.map { RandomMiniscript.preimage($0) }.first { function.hash($0) == hash }
    }

    func isOpen(olderThan number: UInt32) -> Bool { locks.meets(older: number) }
    func isOpen(after number: UInt32) -> Bool { locks.meets(after: number) }
}
