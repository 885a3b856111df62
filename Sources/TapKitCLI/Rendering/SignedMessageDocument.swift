import Bitcoin
import TapManager

/// A valid signed message, for programs and for the user.
struct SignedMessageDocument: Encodable {
    /// An actual output that a proof of funds names.
    struct Output: Encodable {
        let outpoint: String
        let amountSat: Int64
        /// Whether the proof includes the transaction that made the output, so that the amount is certain if that is in
        /// the chain.
        let hasTransaction: Bool
    }

    let valid = true
    let address: String
    let format: String?
    /// When the signature becomes valid: a block height, or seconds since 1970; `nil`: always valid.
    let validFromHeight: UInt32?
    let validFromTime: UInt32?
    /// How old an output of the address must be, in blocks or seconds; `nil`: any age.
    let validAfterBlocks: UInt32?
    let validAfterSeconds: UInt32?
    /// Whether the signature's header is that of a P2PKH address of the same key, as some wallets use it.
    let hasP2PKHHeader: Bool?
    /// The outputs that a proof of funds names; absent in other formats.
    let outputs: [Output]?

    init(address: String, format: MessageSignatureFormat?, _ proof: MessageProof) {
        self.address = address
        self.format = format?.rawValue
        (validFromHeight, validFromTime) = Self.parts(proof.locks.time)
        (validAfterBlocks, validAfterSeconds) = Self.parts(proof.locks.age)
        hasP2PKHHeader = proof.hasP2PKHHeader ? true : nil
        let outputs = proof.funds.map {
            Output(
                outpoint: $0.outpoint.description, amountSat: $0.output.value,
                hasTransaction: $0.hasPreviousTransaction)
        }
        self.outputs = format == .bip322ProofOfFunds ? outputs : nil
    }

    /// For the user.
    var lines: [String] {
        let form = format.flatMap(MessageSignatureFormat.init)?.description ?? "unknown format"
        var lines = ["Valid: \(address) signed this message (\(form))."]
        if let height = validFromHeight { lines.append("  Valid only from block \(height) on.") }
        if let time = validFromTime { lines.append("  Valid only from \(UnixTime(seconds: Int64(time)).iso8601) on.") }
        if let blocks = validAfterBlocks {
            lines.append("  Valid only with an output at least \(blocks.counted("block")) old.")
        }
        if let seconds = validAfterSeconds { lines.append("  Valid only with an output at least \(seconds) s old.") }
        if hasP2PKHHeader == true { lines.append("  Its header is that of a P2PKH address with the same key.") }
        for output in outputs ?? [] {
            lines.append(
                "  Claims \(output.outpoint), \(output.amountSat) sat; only the chain can tell whether it is unspent.")
        }
        return lines
    }

    private static func parts(_ lock: MessageLocks.Lock?) -> (blocks: UInt32?, seconds: UInt32?) {
        switch lock {
        case nil: (nil, nil)
        case .blocks(let count): (count, nil)
        case .seconds(let count): (nil, count)
        }
    }
}
