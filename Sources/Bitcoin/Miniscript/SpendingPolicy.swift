/// What it takes to spend, whichever script says it.
///
/// Spec: BIP-379, "Semantics" in the translation table.
public indirect enum SpendingPolicy<Key: Sendable>: Sendable {
    /// Nothing.
    case always
    /// It cannot be done.
    case never
    /// A signature of a key.
    case key(Key)
    /// The output is this old, as a sequence number says it: BIP-68.
    case older(UInt32)
    /// This height or time has passed, as a lock time says it: BIP-65.
    case after(UInt32)
    /// The preimage of a hash.
    case preimage(PreimageHash, [UInt8])
    /// So many of these, 1 to their number; neither `always` nor `never` is among them. All of them: and. One: or.
    case threshold(Int, [SpendingPolicy])

    /// What an expression means.
    public init(_ miniscript: Miniscript<Key>) {
        switch miniscript.fragment {
        case .zero: self = .never
        case .one: self = .always
        case .pkK(let key), .pkH(let key): self = .key(key)
        case .older(let number): self = .older(number)
        case .after(let number): self = .after(number)
        case .hash(let function, let hash): self = .preimage(function, hash)
        case .andV(let x, let y), .andB(let x, let y): self = .some(2, of: [Self(x), Self(y)])
        case .orB(let x, let y), .orC(let x, let y), .orD(let x, let y), .orI(let x, let y):
            self = .some(1, of: [Self(x), Self(y)])
        case .andOr(let x, let y, let z):
            self = .some(1, of: [.some(2, of: [Self(x), Self(y)]), Self(z)])
        case .threshold(let threshold, let parts): self = .some(threshold, of: parts.map { Self($0) })
        case .multi(let threshold, let keys), .multiA(let threshold, let keys):
            self = .some(threshold, of: keys.map { .key($0) })
        case .wrapped(_, let x): self = Self(x)
        }
    }

    /// The fewest keys whose signatures can be enough, with every preimage known, without some others.
    /// - Parameters:
    ///   - isLeftOut: whether a key does not sign.
    ///   - hasOpenLocks: whether every lock is open, or none.
    /// - Returns: `nil` if it cannot be spent without these.
    package func fewestSigners(hasOpenLocks: Bool = true, without isLeftOut: (Key) -> Bool) -> Int? {
        switch self {
        case .never: return nil
        case .older, .after: return hasOpenLocks ? 0 : nil
        case .always, .preimage: return 0
        case .key(let key): return isLeftOut(key) ? nil : 1
        case .threshold(let threshold, let parts):
            let counts = parts.compactMap { $0.fewestSigners(hasOpenLocks: hasOpenLocks, without: isLeftOut) }
            return counts.count < threshold ? nil : counts.sorted().prefix(threshold).reduce(0, +)
        }
    }

    /// So many of these, in as few levels as possible.
    static func some(_ threshold: Int, of parts: [Self]) -> Self {
        let needed = threshold - parts.count { if case .always = $0 { true } else { false } }
        let parts = parts.filter { part in
            switch part {
            case .always, .never: false
            default: true
            }
        }
        guard needed > 0 else { return .always }
        guard needed <= parts.count else { return .never }
        if parts.count == 1 { return parts[0] }
        // An and in an and, or an or in an or, is one of more.
        let isAnd = needed == parts.count
        guard isAnd || needed == 1 else { return .threshold(needed, parts) }
        let flat = parts.flatMap { part in
            guard case .threshold(let inner, let more) = part, inner == (isAnd ? more.count : 1) else { return [part] }
            return more
        }
        return .threshold(isAnd ? flat.count : 1, flat)
    }
}

extension SpendingPolicy: Equatable where Key: Equatable {}

extension SpendingPolicy: Hashable where Key: Hashable {}
