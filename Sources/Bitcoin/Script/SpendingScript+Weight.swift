/// How much signing adds to a transaction's weight.
///
/// Spec: BIP-141, "Transaction size calculations".
extension SpendingScript {
    /// A signature's usual length: DER with low R and low S, and the hash type. Cards and Bitcoin Core sign like this. About
    /// one in 256 is a byte shorter, because R or S starts with a zero byte.
    static let signatureLength = 71

    /// The weight that a complete input adds to its unsigned form, in weight units: scriptSig bytes count four times,
    /// witness bytes once. Exact for single keys and multisig with 71-byte signatures; for miniscript it is the smallest
    /// way that needs neither lock nor preimage, or else the largest; for other scripts, one signature is assumed. For an input without witness, the byte that marks this in a transaction with other witnesses is not
    /// counted.
    public var estimatedSatisfactionWeight: Int { satisfactionWeight(publicKeyLength: PublicKey.length) }

    /// The same when the key behind a key hash is encoded in `publicKeyLength` bytes, 33 or 65.
    /// - Parameter locks: those that the transaction meets; `nil`: none.
    public func satisfactionWeight(publicKeyLength: Int, locks: InputLocks? = nil) -> Int {
        weight(stack: miniscript?.estimatedSatisfaction(locks) ?? stackLength(publicKeyLength: publicKeyLength))
    }

    /// The same for a stack of so many bytes, every item with its length.
    func weight(stack: Int) -> Int {
        switch form {
        case .bare: return Self.scriptSigWeight(stack)
        case .p2sh: return Self.scriptSigWeight(stack + Self.pushLength(scriptCode.bytes.count))
        case .p2wpkh: return 1 + stack
        case .p2shP2WPKH: return 4 * 23 + 1 + stack
        case .p2wsh: return 1 + stack + Self.sizedLength(scriptCode.bytes.count)
        case .p2shP2WSH: return 4 * 35 + 1 + stack + Self.sizedLength(scriptCode.bytes.count)
        case .p2tr: return Self.taprootKeyWeight
        case .futureWitness: return 0
        }
    }

    /// That of a signature of the output key.
    static let taprootKeyWeight = 1 + 1 + SchnorrSignature.length

    /// That of a leaf's script with a witness of these items.
    /// - Parameter depth: how many branches are above the leaf.
    static func taprootScriptWeight(_ items: [[UInt8]], scriptLength: Int, depth: Int) -> Int {
        let count = items.count + 2
        return (count < 253 ? 1 : 3) + items.reduce(0) { $0 + sizedLength($1.count) } + sizedLength(scriptLength)
            + sizedLength(33 + 32 * depth)
    }

    /// The size of signatures and keys, each with its length byte.
    private func stackLength(publicKeyLength: Int) -> Int {
        let signature = 1 + Self.signatureLength
        switch template {
        case .p2pkh: return signature + 1 + publicKeyLength
        case .multisig(let multisig): return 1 + multisig.threshold * signature
        default: return signature
        }
    }

    /// The unsigned form already has one byte for the length.
    private static func scriptSigWeight(_ length: Int) -> Int { 4 * (sizedLength(length) - 1) }

    private static func pushLength(_ count: Int) -> Int { count + (count < 76 ? 1 : count < 256 ? 2 : 3) }

    private static func sizedLength(_ count: Int) -> Int { count + (count < 253 ? 1 : count < 65_536 ? 3 : 5) }
}
