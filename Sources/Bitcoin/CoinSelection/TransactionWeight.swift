import ByteCodec

/// The weight of a signed transaction, from its outputs and the sums over its inputs.
///
/// Spec: BIP-141, "Transaction size calculations"; BIP-144.
struct TransactionWeight {
    /// The heaviest transaction that nodes relay, in weight units.
    ///
    /// Spec: Bitcoin Core, `MAX_STANDARD_TX_WEIGHT`.
    static let largest = 400_000

    /// Totals of the inputs.
    struct Inputs {
        var count = 0
        /// The weight of the complete inputs, each with its witness.
        var weight = 0
        var witnessCount = 0

        mutating func add(_ coin: CoinCandidate) {
            count += 1
            weight += coin.inputWeight
            if coin.hasWitness { witnessCount += 1 }
        }
    }

    private var outputCount = 0
    private var outputLength = 0

    /// A transaction that pays these outputs.
    init(_ outputs: [TransactionOutput]) {
        for output in outputs { add(output) }
    }

    /// Adds one output.
    mutating func add(_ output: TransactionOutput) {
        outputCount += 1
        outputLength += Self.length(output)
    }

    /// The weight with these inputs, in weight units.
    func weight(_ inputs: Inputs) -> Int {
        // Version and lock time.
        let fixed = 8 + Self.countLength(inputs.count) + Self.countLength(outputCount) + outputLength
        // Marker, flag, and a byte for each input without a witness when others have one.
        let witnesses = inputs.witnessCount == 0 ? 0 : 2 + inputs.count - inputs.witnessCount
        return 4 * fixed + inputs.weight + witnesses
    }

    /// The size of an output, in bytes.
    static func length(_ output: TransactionOutput) -> Int {
        8 + countLength(output.scriptPubKey.bytes.count) + output.scriptPubKey.bytes.count
    }

    /// The size of a compact size, in bytes.
    static func countLength(_ count: Int) -> Int { count < 253 ? 1 : count <= 0xFFFF ? 3 : 5 }
}
