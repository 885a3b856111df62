/// The formats in which messages are signed.
public enum MessageSignatureFormat: String, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    /// A signature from which the key is recovered: 65 bytes.
    case bip137
    /// A witness stack.
    case bip322Simple = "bip322-simple"
    /// A whole virtual transaction.
    case bip322Full = "bip322-full"
    /// A finalized PSBT of a virtual transaction that also spends real outputs.
    case bip322ProofOfFunds = "bip322-pof"

    /// The prefix of the Base64 text; `nil` when there is none.
    ///
    /// Spec: BIP-322, "Types of Signatures".
    public var prefix: String? {
        switch self {
        case .bip137: nil
        case .bip322Simple: "smp"
        case .bip322Full: "ful"
        case .bip322ProofOfFunds: "pof"
        }
    }

    /// The format as people call it, by its BIP; JSON has the raw value.
    public var description: String {
        switch self {
        case .bip137: "BIP-137"
        case .bip322Simple: "BIP-322, simple"
        case .bip322Full: "BIP-322, full"
        case .bip322ProofOfFunds: "BIP-322, proof of funds"
        }
    }
}
