import TestSupport

@testable import Bitcoin

/// A transaction that spends an expression with some of what it asks for.
struct MiniscriptSpend: PolicySpend {
    let expression: Miniscript<Int>
    private let keys: [PrivateKey]
    let means: MiniscriptMeans
    let coin: Outpoint
    private let unsigned: Transaction
    let script: Script
    let output: TransactionOutput
    private let digest: Digest
    private let isNested: Bool

    /// Spends with random means.
    init(
        _ expression: Miniscript<Int>, keys: [PrivateKey], isNested: Bool = false, using random: inout SeededGenerator
    ) {
        self.init(
            expression, keys: keys, means: MiniscriptMeans(of: keys.indices, using: &random), isNested: isNested)
    }

    init(
        _ expression: Miniscript<Int>, keys: [PrivateKey], means: MiniscriptMeans,
        coin: Outpoint = MiniscriptMeans.madeUpCoin, isNested: Bool = false
    ) {
        (self.expression, self.keys, self.means, self.coin, self.isNested) = (expression, keys, means, coin, isNested)
        script = expression.script { .key(keys[$0].publicKey.bytes) }
        output = TransactionOutput(
            value: 100_000, scriptPubKey: isNested ? .p2sh(.p2wsh(script)) : .p2wsh(script))
        unsigned = means.unsigned(paying: .p2wsh(script), from: coin)
        digest =
            (try? SighashCache(unsigned).segwitV0Digest(
                input: 0, scriptCode: script, amount: Amount(satoshis: 100_000) ?? .zero, type: .all))
            ?? LegacySighash.one
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
            own.filter(means.signers.contains).map {
                PartialSignature(keys[$0].sign(digest: digest), by: keys[$0].publicKey)
            },
            toInput: 0)
        for key in own {
            psbt[input: 0].addDerivation(
                KeyDerivation(
                    publicKey: keys[key].publicKey.bytes, fingerprint: Fingerprint(of: keys[key].publicKey),
                    path: DerivationPath()))
        }
        for number in means.preimages {
            for function in PreimageHash.allCases {
                psbt[input: 0].addPreimage(RandomMiniscript.preimage(number), of: function)
            }
        }
        return psbt
    }

    // MARK: SpendingAssets

    func signature(of key: Int) -> [UInt8]? {
        guard means.signers.contains(key) else { return nil }
        return PartialSignature(keys[key].sign(digest: digest), by: keys[key].publicKey).signature
    }

    func publicKey(of key: Int) -> [UInt8]? { keys[key].publicKey.bytes }
}
