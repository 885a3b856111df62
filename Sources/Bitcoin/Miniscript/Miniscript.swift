/// A spending condition that can be analyzed: a tree of fragments, each of which is a piece of script.
///
/// An expression that exists has a type: its parts fit together. Whether it is safe to use, `fault` says.
///
/// Spec: BIP-379.
public struct Miniscript<Key: Sendable>: Sendable {
    /// What an expression is made of.
    ///
    /// Spec: BIP-379, "Specification". `pk`, `pkh`, `and_n`, `t:`, `l:` and `u:` are other ways to write these.
    public indirect enum Fragment: Sendable {
        /// `0`: never.
        case zero
        /// `1`: always.
        case one
        /// `pk_k`: a key.
        case pkK(Key)
        /// `pk_h`: a key, by its hash.
        case pkH(Key)
        /// `older`: the output is this old, as a sequence number says it: BIP-68.
        case older(UInt32)
        /// `after`: this height or time has passed, as a lock time says it: BIP-65.
        case after(UInt32)
        /// `sha256`, `hash256`, `ripemd160`, `hash160`: a preimage of 32 bytes of this hash.
        case hash(PreimageHash, [UInt8])
        /// `andor`: the first and the second, or the third.
        case andOr(Miniscript, Miniscript, Miniscript)
        /// `and_v`: both.
        case andV(Miniscript, Miniscript)
        /// `and_b`: both.
        case andB(Miniscript, Miniscript)
        /// `or_b`: one of them.
        case orB(Miniscript, Miniscript)
        /// `or_c`: one of them.
        case orC(Miniscript, Miniscript)
        /// `or_d`: one of them.
        case orD(Miniscript, Miniscript)
        /// `or_i`: one of them.
        case orI(Miniscript, Miniscript)
        /// `thresh`: so many of them.
        case threshold(Int, [Miniscript])
        /// `multi`: so many signatures of these keys, in their order; only in P2WSH.
        case multi(Int, [Key])
        /// `multi_a`: so many signatures of these keys; only in tapscript.
        case multiA(Int, [Key])
        /// A wrapper around another expression.
        case wrapped(MiniscriptWrapper, Miniscript)
    }

    /// The most levels of an expression. No valid P2WSH script has more: each level but a few takes one of its 201
    /// operations. Tapscript has no such rule; there it is the bound of rust-miniscript.
    static var maximumDepth: Int { 402 }

    /// Where the script is executed.
    public let context: MiniscriptContext

    /// What the expression says.
    public let fragment: Fragment
    /// What is known about it.
    public let type: MiniscriptType
    /// What it takes to execute and to satisfy it.
    let resources: MiniscriptResources
    /// How many levels it has.
    let depth: Int

    /// An expression of parts that fit together.
    /// - Throws: `MiniscriptError`: `.type` if they do not fit together, or are for another context; `.unknownName` for the
    ///   multisig of another context; `.number`, `.hashLength`, `.threshold`, `.tooManyKeys`, `.tooManyParts` or `.tooDeep`.
    public init(_ fragment: Fragment, in context: MiniscriptContext = .p2wsh) throws(MiniscriptError) {
        try fragment.checkNumbers(in: context)
        let type = fragment.computedType(in: context)
        guard type.intersection(.kinds).rawValue.nonzeroBitCount == 1 else { throw .type(fragment.name) }
        var depth = 1
        fragment.forEachPart { depth = max(depth, 1 + $0.depth) }
        guard depth <= Self.maximumDepth else { throw .tooDeep }
        (self.fragment, self.context, self.type, self.depth) = (fragment, context, type, depth)
        resources = MiniscriptResources(of: fragment, in: context)
    }

    /// The same as an expression of other keys.
    private init<Other>(_ fragment: Fragment, like other: Miniscript<Other>) {
        (self.fragment, context, type) = (fragment, other.context, other.type)
        (resources, depth) = (other.resources, other.depth)
    }

    /// The same expression of other keys.
    func mapKeys<Other, Failure: Error>(
        _ transform: (Key) throws(Failure) -> Other
    ) throws(Failure) -> Miniscript<Other> {
        func mapped(_ part: Miniscript) throws(Failure) -> Miniscript<Other> { try part.mapKeys(transform) }
        let other: Miniscript<Other>.Fragment
        switch fragment {
        case .zero: other = .zero
        case .one: other = .one
        case .pkK(let key): other = .pkK(try transform(key))
        case .pkH(let key): other = .pkH(try transform(key))
        case .older(let number): other = .older(number)
        case .after(let number): other = .after(number)
        case .hash(let function, let hash): other = .hash(function, hash)
        case .andOr(let x, let y, let z): other = .andOr(try mapped(x), try mapped(y), try mapped(z))
        case .andV(let x, let y): other = .andV(try mapped(x), try mapped(y))
        case .andB(let x, let y): other = .andB(try mapped(x), try mapped(y))
        case .orB(let x, let y): other = .orB(try mapped(x), try mapped(y))
        case .orC(let x, let y): other = .orC(try mapped(x), try mapped(y))
        case .orD(let x, let y): other = .orD(try mapped(x), try mapped(y))
        case .orI(let x, let y): other = .orI(try mapped(x), try mapped(y))
        case .threshold(let threshold, let parts):
            var others: [Miniscript<Other>] = []
            for part in parts { others.append(try mapped(part)) }
            other = .threshold(threshold, others)
        case .multi(let threshold, let keys): other = .multi(threshold, try Self.mapped(keys, transform))
        case .multiA(let threshold, let keys): other = .multiA(threshold, try Self.mapped(keys, transform))
        case .wrapped(let wrapper, let x): other = .wrapped(wrapper, try mapped(x))
        }
        return Miniscript<Other>(other, like: self)
    }

    private static func mapped<Other, Failure: Error>(
        _ keys: [Key], _ transform: (Key) throws(Failure) -> Other
    ) throws(Failure) -> [Other] {
        var others: [Other] = []
        for key in keys { others.append(try transform(key)) }
        return others
    }

    /// Every key, in the order of the text.
    public var keys: [Key] {
        var keys: [Key] = []
        visit { fragment in
            switch fragment {
            case .pkK(let key), .pkH(let key): keys.append(key)
            case .multi(_, let more), .multiA(_, let more): keys += more
            default: break
            }
        }
        return keys
    }

    /// Calls `body` with every fragment, in the order of the text.
    func visit(_ body: (Fragment) -> Void) {
        body(fragment)
        fragment.forEachPart { $0.visit(body) }
    }
}

extension Miniscript.Fragment {
    /// Calls `body` with the expressions that it is made of, in the order of the text.
    @inline(__always)
    func forEachPart(_ body: (Miniscript<Key>) -> Void) {
        switch self {
        case .zero, .one, .pkK, .pkH, .older, .after, .hash, .multi, .multiA: break
        case .andOr(let x, let y, let z):
            body(x)
            body(y)
            body(z)
        case .andV(let x, let y), .andB(let x, let y), .orB(let x, let y), .orC(let x, let y), .orD(let x, let y),
            .orI(let x, let y):
            body(x)
            body(y)
        case .threshold(_, let parts): parts.forEach(body)
        case .wrapped(_, let x): body(x)
        }
    }

    /// The same expressions.
    var parts: [Miniscript<Key>] {
        var parts: [Miniscript<Key>] = []
        forEachPart { parts.append($0) }
        return parts
    }

    /// The name in a text; a wrapper's with its colon.
    var name: String {
        switch self {
        case .zero: "0"
        case .one: "1"
        case .pkK: "pk_k"
        case .pkH: "pk_h"
        case .older: "older"
        case .after: "after"
        case .hash(let function, _): function.rawValue
        case .andOr: "andor"
        case .andV: "and_v"
        case .andB: "and_b"
        case .orB: "or_b"
        case .orC: "or_c"
        case .orD: "or_d"
        case .orI: "or_i"
        case .threshold: "thresh"
        case .multi: "multi"
        case .multiA: "multi_a"
        case .wrapped(let wrapper, _): "\(wrapper.rawValue):"
        }
    }

    /// Spec: BIP-379: locks from 1 to 2³¹ − 1, thresholds up to the number of parts, at most 20 keys, or 999 in tapscript.
    fileprivate func checkNumbers(in context: MiniscriptContext) throws(MiniscriptError) {
        var areOfContext = true
        forEachPart { areOfContext = areOfContext && $0.context == context }
        guard areOfContext else { throw .type(name) }
        switch self {
        case .older(let number), .after(let number):
            guard (1...0x7FFF_FFFF).contains(number) else { throw .number(name) }
        case .hash(let function, let hash):
            guard hash.count == function.length else { throw .hashLength(name) }
        case .threshold(let threshold, let parts):
            try context.checkPartCount(parts.count)
            guard !parts.isEmpty, (1...parts.count).contains(threshold) else { throw .threshold(name) }
        case .multi(let threshold, let keys), .multiA(let threshold, let keys):
            let isOfTapscript = if case .multiA = self { true } else { false }
            guard isOfTapscript == (context == .tapscript) else { throw .unknownName(name) }
            let most = context.maximumKeyCount
            guard keys.count <= most else { throw .tooManyKeys(keys.count, limit: most) }
            guard !keys.isEmpty, (1...keys.count).contains(threshold) else { throw .threshold(name) }
        default: break
        }
    }
}
