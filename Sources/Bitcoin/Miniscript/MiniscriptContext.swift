/// Where an expression's script is executed: this decides how its keys are encoded, which multisig it has, and its limits.
///
/// Spec: BIP-379; BIP-141 and BIP-342; Bitcoin Core, `MiniscriptContext`.
public enum MiniscriptContext: Hashable, Sendable {
    /// The witness script of P2WSH.
    case p2wsh
    /// A leaf of a taproot output's script tree.
    case tapscript

    /// The length of a key in the script, in bytes: compressed, or its x coordinate.
    var keyLength: Int {
        switch self {
        case .p2wsh: PublicKey.length
        case .tapscript: 32
        }
    }

    /// The length of a signature with its hash type that is not exceeded, in bytes.
    ///
    /// Spec: BIP-66 and BIP-146 (high R, low S); BIP-341.
    var largestSignatureLength: Int {
        switch self {
        case .p2wsh: 72
        case .tapscript: 65
        }
    }

    /// The usual length of a signature, in bytes.
    var usualSignatureLength: Int {
        switch self {
        case .p2wsh: SpendingScript.signatureLength
        case .tapscript: SchnorrSignature.length
        }
    }

    /// The longest script that can be spent within the network's limits, in bytes.
    var maximumScriptLength: Int {
        switch self {
        case .p2wsh: MiniscriptLimits.scriptLength
        case .tapscript: MiniscriptLimits.tapscriptLength
        }
    }

    /// The most keys of `multi` or `multi_a`.
    var maximumKeyCount: Int {
        switch self {
        case .p2wsh: MultisigScript.maximumKeyCount
        case .tapscript: MiniscriptLimits.tapscriptKeys
        }
    }

    /// The most parts of `thresh`.
    var maximumPartCount: Int {
        switch self {
        // Each takes an operation at least.
        case .p2wsh: MiniscriptLimits.operations
        // Each takes an item of the witness at least, or can never be satisfied.
        case .tapscript: ScriptStack.maximumCount - 1
        }
    }

    /// Confirms that a `thresh` may have so many parts.
    func checkPartCount(_ count: Int) throws(MiniscriptError) {
        guard count > maximumPartCount else { return }
        switch self {
        case .p2wsh: throw .tooManyOperations(count)
        case .tapscript: throw .tooManyParts(count)
        }
    }
}
