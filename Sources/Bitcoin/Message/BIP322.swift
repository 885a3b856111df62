import ByteCodec

/// The virtual transactions with which messages are signed for any script.
///
/// Spec: BIP-322, version 2.0.0.
public enum BIP322 {
    /// The tagged hash of a message, 32 bytes.
    /// - Parameter message: the message's exact bytes; UTF-8 for text.
    ///
    /// Spec: BIP-322, "Full".
    public static func messageHash(_ message: [UInt8]) -> [UInt8] {
        SHA256.taggedHash("BIP0322-signed-message", message)
    }

    /// The virtual transaction whose only output belongs to the address; it can never be in a block.
    public static func toSpend(message: [UInt8], scriptPubKey: Script) -> Transaction {
        var scriptSig: [UInt8] = []
        scriptSig.append(Opcode.zero)
        scriptSig.appendPush(of: messageHash(message))
        let nothing = Outpoint(transactionID: Self.noTransaction, index: 0xFFFF_FFFF)
        return Transaction(
            version: 0, inputs: [TransactionInput(outpoint: nothing, scriptSig: Script(scriptSig), sequence: 0)],
            outputs: [TransactionOutput(amount: .zero, scriptPubKey: scriptPubKey)])
    }

    /// The virtual transaction to sign, still unsigned and without locks, as in simple signatures.
    public static func toSign(spending toSpend: Transaction) -> Transaction {
        Transaction(
            version: 0,
            inputs: [TransactionInput(outpoint: Outpoint(transactionID: toSpend.id, index: 0), sequence: 0)],
            outputs: [output])
    }

    /// The one output of a signed transaction.
    static let output = TransactionOutput(amount: .zero, scriptPubKey: Script([Opcode.return.rawValue]))

    static let noTransaction = TransactionID(unchecked: [UInt8](repeating: 0, count: 32))
}
