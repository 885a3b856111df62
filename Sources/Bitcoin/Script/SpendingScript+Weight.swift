/// How much signing adds to a transaction's weight.
///
/// Spec: BIP-141, "Transaction size calculations".
extension SpendingScript {
    /// A signature's usual bytes: DER with low R and low S, and the hash type.
    private static let signatureLength = 71

    /// The weight that a complete input has beyond its unsigned form, in weight units: scriptSig bytes count four times,
    /// witness bytes once. Exact for single keys and multisig with compressed keys whose signatures have 71 bytes; for
    /// other scripts one signature is assumed.
    public var estimatedSatisfactionWeight: Int {
        switch form {
        case .bare: 4 * satisfactionLength
        case .p2sh: 4 * (satisfactionLength + Self.pushLength(scriptCode.bytes.count))
        case .p2wpkh: 1 + satisfactionLength
        case .p2shP2WPKH: 4 * 23 + 1 + satisfactionLength
        case .p2wsh: witnessScriptWeight
        case .p2shP2WSH: 4 * 35 + witnessScriptWeight
        case .p2tr: 1 + 1 + 64
        case .futureWitness: 0
        }
    }

    private var witnessScriptWeight: Int {
        1 + satisfactionLength + Self.sizedLength(scriptCode.bytes.count)
    }

    /// Bytes of signatures and keys, each with its length.
    private var satisfactionLength: Int {
        let signature = 1 + Self.signatureLength
        switch template {
        case .p2pkh: return signature + 1 + PublicKey.length
        case .multisig(let multisig): return 1 + multisig.threshold * signature
        default: return signature
        }
    }

    private static func pushLength(_ count: Int) -> Int { count + (count < 76 ? 1 : count < 256 ? 2 : 3) }

    private static func sizedLength(_ count: Int) -> Int { count + (count < 253 ? 1 : 3) }
}
