import Bitcoin

/// The root that a card's certificates lead to. The card holds the certified key in every case; `check` has proved
/// that.
public enum CertificateVerdict: Sendable, Hashable {
    /// The maker's factory root: a genuine card.
    case genuine
    /// The maker's obsolete development root: a development card, not genuine.
    case development
    /// A root that the caller accepts, such as a simulator's; not genuine.
    case custom(root: PublicKey)
    /// An unknown root: a counterfeit.
    case unknown(root: PublicKey)

    /// The maker's factory root, compressed, in hexadecimal.
    public static let factoryRoot = "03028a0e89e70d0ec0d932053a89ab1da7d9182bdc6d2f03e706ee99517d05d9e1"
    /// The maker's obsolete development root, compressed, in hexadecimal.
    public static let developmentRoot = "027722ef208e681bac05f1b4b3cc478d6bf353ac9a09ff0c843430138f65c27bab"

    /// The verdict on a root. The maker's two roots keep their meaning even if the caller lists them.
    init(root: PublicKey, customRoots: [PublicKey]) {
        switch root.description {
        case Self.factoryRoot: self = .genuine
        case Self.developmentRoot: self = .development
        default: self = customRoots.contains(root) ? .custom(root: root) : .unknown(root: root)
        }
    }

    /// The root itself, where it is none of the maker's.
    package var root: PublicKey? {
        switch self {
        case .genuine, .development: nil
        case .custom(let root), .unknown(let root): root
        }
    }

    /// Whether the maker made the card.
    public var isGenuine: Bool { self == .genuine }

    /// Whether the card may be used: it is certified by the maker's factory root or by one that the caller accepts.
    public var isAccepted: Bool {
        switch self {
        case .genuine, .custom: true
        case .development, .unknown: false
        }
    }

    /// The root that certified the card, in words.
    package var rootDescription: String {
        switch self {
        case .genuine: "the maker's factory"
        case .custom(let key): "the root \(key) that you accept"
        case .development: "the maker's development root"
        case .unknown(let key): "its certificates lead to the unknown root \(key)"
        }
    }

    /// One word for the root: `factory`, `development`, `custom`, `unknown`.
    public var rootName: String {
        switch self {
        case .genuine: "factory"
        case .development: "development"
        case .custom: "custom"
        case .unknown: "unknown"
        }
    }
}
