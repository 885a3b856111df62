import Bitcoin

/// Whether an output comes back to us.
enum ChangeVerdict: Sendable, Hashable {
    /// Nothing claims so.
    case foreign
    /// Proven: key, script and, for multisig, all cosigners are those of the inputs.
    case proven(CardPath, unusual: String?)
    /// Claimed, our key stands in the script, and something remains unproven, which the text names.
    case claimed(CardPath, String)
    /// Claimed at a path that the card cannot reach, so nothing can be said.
    case unreachable(DerivationPath)
    /// Claimed and untrue, for the reason named.
    case lie(String)
    /// A multisig with other cosigners, threshold or script type than the inputs.
    case otherCosigners(String)

    /// Whether it comes back to where the wallet finds it.
    var isProven: Bool {
        if case .proven(_, unusual: nil) = self { return true }
        return false
    }

    /// The path, when our key stands in the script.
    var path: CardPath? {
        switch self {
        case .proven(let path, _), .claimed(let path, _): path
        case .foreign, .unreachable, .lie, .otherCosigners: nil
        }
    }
}
