/// Why an input of a PSBT cannot be spent, or not in this way.
public enum PSBTInputFault: Error, Hashable, Sendable {
    /// There is neither scriptSig nor witness yet.
    case notFinal
}

extension PSBTInputFault: CustomStringConvertible {
    /// What is wrong, to stand behind the input's number.
    public var description: String {
        switch self {
        case .notFinal: "is not final"
        }
    }
}
