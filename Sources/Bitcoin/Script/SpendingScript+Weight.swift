/// How much signing adds to a transaction's weight.
///
/// Spec: BIP-141, "Transaction size calculations".
extension SpendingScript {
    /// A signature's usual bytes: DER with low R and low S, and the hash type. Cards sign so, and Bitcoin Core; about one
    /// in 256 is a byte shorter, because R or S begins with a zero byte.
    private static let signatureLength = 71

    /// The weight that a complete input has beyond its unsigned form, in weight units: scriptSig bytes count four times,
    /// witness bytes once. Exact for single keys and multisig whose signatures have 71 bytes; for other scripts one
    /// signature is assumed. Of an input without witness, the byte that says so in a transaction with other witnesses is
    /// not counted.
    public var estimatedSatisfactionWeight: Int { satisfactionWeight(publicKeyLength: PublicKey.length) }

    /// The same where the key behind a key hash has an encoding of `publicKeyLength` bytes, 33 or 65.
    public func satisfactionWeight(publicKeyLength: Int) -> Int {
        let stack = stackLength(publicKeyLength: publicKeyLength)
        switch form {
        case .bare: return Self.scriptSigWeight(stack)
        case .p2sh: return Self.scriptSigWeight(stack + Self.pushLength(scriptCode.bytes.count))
        case .p2wpkh: return 1 + stack
        case .p2shP2WPKH: return 4 * 23 + 1 + stack
        case .p2wsh: return 1 + stack + Self.sizedLength(scriptCode.bytes.count)
        case .p2shP2WSH: return 4 * 35 + 1 + stack + Self.sizedLength(scriptCode.bytes.count)
        case .p2tr: return 1 + 1 + 64
        case .futureWitness: return 0
        }
    }

    /// Bytes of signatures and keys, each with its length.
    private func stackLength(publicKeyLength: Int) -> Int {
        let signature = 1 + Self.signatureLength
        switch template {
        case .p2pkh: return signature + 1 + publicKeyLength
        case .multisig(let multisig): return 1 + multisig.threshold * signature
        default: return signature
        }
    }

    /// The unsigned form has one byte for the length already.
    private static func scriptSigWeight(_ length: Int) -> Int { 4 * (sizedLength(length) - 1) }

    private static func pushLength(_ count: Int) -> Int { count + (count < 76 ? 1 : count < 256 ? 2 : 3) }

    private static func sizedLength(_ count: Int) -> Int { count + (count < 253 ? 1 : 3) }
}
