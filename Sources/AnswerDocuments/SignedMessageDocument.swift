import Bitcoin
import TapManager

/// A valid signed message.
package struct SignedMessageDocument: Encodable {
    /// An actual output that a proof of funds names.
    package struct Output: Encodable {
        /// The transaction's id and the output's index.
        package let outpoint: String
        /// What the proof says that it holds.
        package let amountSat: Int64
        /// Whether the proof includes the transaction that made the output, so that the amount is certain if that is in
        /// the chain.
        let hasTransaction: Bool
    }

    let valid = true
    /// Whose signature it is.
    package let address: String
    /// The form of the signature; `nil`: one that has no name.
    package let format: String?
    /// The block from which the signature is valid; `nil`: it does not depend on blocks.
    package let validFromHeight: UInt32?
    /// When the signature becomes valid, in seconds since 1970; `nil`: it does not depend on the time.
    package let validFromTime: UInt32?
    /// How old an output of the address must be, in blocks; `nil`: any number of them.
    package let validAfterBlocks: UInt32?
    /// How old an output of the address must be, in seconds; `nil`: any number of them.
    package let validAfterSeconds: UInt32?
    /// Whether the signature's header is that of a P2PKH address of the same key, as some wallets use it.
    package let hasP2PKHHeader: Bool?
    /// The outputs that a proof of funds names; absent in other formats.
    package let outputs: [Output]?

    /// A message whose signature was verified.
    /// - Parameter format: the form of the signature; `nil`: one that has no name.
    package init(address: String, format: MessageSignatureFormat?, _ proof: MessageProof) {
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

    private static func parts(_ lock: MessageLocks.Lock?) -> (blocks: UInt32?, seconds: UInt32?) {
        switch lock {
        case nil: (nil, nil)
        case .blocks(let count): (count, nil)
        case .seconds(let count): (nil, count)
        }
    }
}
