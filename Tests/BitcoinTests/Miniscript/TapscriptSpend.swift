import TestSupport

@testable import Bitcoin

/// A transaction that spends an expression in the only leaf of a taproot output with some of what it asks for.
struct TapscriptSpend: PolicySpend {
    let expression: Miniscript<Int>
    let output: TransactionOutput
    private let keys: [SmallSchnorrKey]
    let means: MiniscriptMeans
    private let unsigned: Transaction
    private let leaf: TaprootLeafScript
    private let digest: Digest

    init(_ expression: Miniscript<Int>, keys: [SmallSchnorrKey], using random: inout SeededGenerator) throws {
        (self.expression, self.keys) = (expression, keys)
        means = MiniscriptMeans(of: keys.indices, using: &random)
        let script = expression.script { .key(keys[$0].xOnly) }
        let hash = TaprootLeaf.hash(version: 0xC0, script: script.bytes)
        let internalKey = try SmallSchnorrKey(255).xOnly
        let tweaked = try TaprootOutputKey.tweak(internalKey: internalKey, merkleRoot: hash)
        leaf = TaprootLeafScript(
            controlBlock: [tweaked.isOdd ? 0xC1 : 0xC0] + internalKey, script: script, leafVersion: 0xC0)
        output = TransactionOutput(
            value: 100_000, scriptPubKey: .p2tr(try TaprootOutputKey(internalKey: internalKey, merkleRoot: hash)))
        unsigned = means.unsigned(paying: output.scriptPubKey)
        digest =
            TaprootSighash(unsigned, spentOutputs: [output])?.digest(
                input: 0, type: SighashType(rawValue: 0), leaf: TaprootSighash.Leaf(hash: hash)) ?? LegacySighash.one
    }

    func transaction(_ witness: [[UInt8]]) -> Transaction {
        var transaction = unsigned
        transaction.inputs[0].witness = witness + [leaf.script.bytes, leaf.controlBlock]
        return transaction
    }

    // MARK: SpendingAssets

    func signature(of key: Int) -> [UInt8]? {
        means.signers.contains(key) ? try? keys[key].signature(of: digest) : nil
    }

    func publicKey(of key: Int) -> [UInt8]? { keys[key].xOnly }
}
