/// An output descriptor: scripts, and the keys that spend them.
///
/// Spec: BIP-379 to BIP-387, BIP-389.
public struct Descriptor: Sendable {
    /// What a descriptor says.
    public indirect enum Expression: Sendable {
        /// Pay to a key.
        case pk(DescriptorKey)
        /// Pay to a key's hash.
        case pkh(DescriptorKey)
        /// Pay to a key's hash in a witness program.
        case wpkh(DescriptorKey)
        /// Every way to pay to one key that existed before taproot.
        case combo(DescriptorKey)
        /// A threshold of these keys.
        case multi(threshold: Int, keys: [DescriptorKey], isSorted: Bool)
        /// A miniscript expression that is safe to use; only in `wsh`.
        case miniscript(Miniscript<DescriptorKey>)
        /// A script behind its hash.
        case sh(Expression)
        /// A script behind its hash in a witness program.
        case wsh(Expression)
        /// A taproot output: the internal key, and the script tree, if any.
        case tr(DescriptorKey, TaprootScripts?)
        /// Whatever an address pays to.
        case address(Script, text: String)
        /// A script itself.
        case raw(Script)
    }

    /// The script tree of a taproot output.
    public indirect enum TaprootScripts: Sendable {
        /// A key's signature.
        case pk(DescriptorKey)
        /// The signature of a key behind its hash.
        case pkh(DescriptorKey)
        /// A threshold of these keys.
        case multi(threshold: Int, keys: [DescriptorKey], isSorted: Bool)
        /// Another miniscript expression that is safe to use.
        case miniscript(Miniscript<DescriptorKey>)
        /// Two trees.
        case branch(TaprootScripts, TaprootScripts)
    }

    /// The most levels of a script tree.
    ///
    /// Spec: BIP-341, "Script validation rules".
    static let maximumTreeDepth = TapTree.maximumDepth
    /// The most derivations for one address of every branch: each key counts once, and once more for each step below it. The
    /// largest possible multisig, of 999 keys with two steps each, takes 6 000 in two branches.
    static let maximumDerivationCount = 10_000

    /// The tree of script expressions, as in the text, without the checksum.
    public let expression: Expression

    init(_ expression: Expression) { self.expression = expression }

    /// Every key expression, in the order of the text.
    public var keys: [DescriptorKey] { expression.keys }

    /// How many descriptors without multipath steps this one expands to.
    ///
    /// Spec: BIP-389.
    public var branchCount: Int { keys.lazy.map(\.branchCount).max() ?? 1 }

    /// How many derivations it takes to have one address of each branch of a descriptor with these keys; see
    /// `maximumDerivationCount`.
    static func derivationCount(of keys: [DescriptorKey]) -> Int {
        keys.reduce(0) { $0 + $1.branchCount * (1 + $1.steps.count + ($1.wildcard == nil ? 0 : 1)) }
    }

    /// Whether it has a wildcard, and so a script for every index.
    public var isRanged: Bool { keys.contains { $0.wildcard != nil } }

    /// Whether it contains a private key. Such a descriptor is never kept, shown or written.
    public var hasPrivateKeys: Bool { keys.contains(where: \.isPrivate) }
}

extension Descriptor.Expression {
    var keys: [DescriptorKey] {
        switch self {
        case .pk(let key), .pkh(let key), .wpkh(let key), .combo(let key): [key]
        case .multi(_, let keys, _): keys
        case .miniscript(let miniscript): miniscript.keys
        case .sh(let inner), .wsh(let inner): inner.keys
        case .tr(let key, let scripts): [key] + (scripts?.keys ?? [])
        case .address, .raw: []
        }
    }
}

extension Descriptor.TaprootScripts {
    var keys: [DescriptorKey] {
        var keys: [DescriptorKey] = []
        appendKeys(to: &keys)
        return keys
    }

    private func appendKeys(to keys: inout [DescriptorKey]) {
        switch self {
        case .pk(let key), .pkh(let key): keys.append(key)
        case .multi(_, let more, _): keys += more
        case .miniscript(let miniscript): keys += miniscript.keys
        case .branch(let one, let other):
            one.appendKeys(to: &keys)
            other.appendKeys(to: &keys)
        }
    }
}
