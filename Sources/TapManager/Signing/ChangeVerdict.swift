import Bitcoin

/// Whether an output pays back to us.
enum ChangeVerdict: Sendable, Hashable {
    /// Nothing claims that it does.
    case foreign
    /// Proven: key, script and, for multisig, all cosigners match the inputs.
    case proven(CardPath, unusual: String?)
    /// Claimed; our key is in the script, but something, named in the text, is not proven.
    case claimed(CardPath, String)
    /// Claimed at a path that the card cannot reach, so it cannot be checked.
    case unreachable(DerivationPath)
    /// Claimed and false, for the given reason.
    case lie(String)
    /// A multisig with other cosigners, threshold or script type than the inputs.
    case otherCosigners(String)

    /// Whether it pays back to where the wallet finds it.
    var isProven: Bool {
        if case .proven(_, unusual: nil) = self { return true }
        return false
    }

    /// The path, if our key is in the script.
    var path: CardPath? {
        switch self {
        case .proven(let path, _), .claimed(let path, _): path
        case .foreign, .unreachable, .lie, .otherCosigners: nil
        }
    }
}
