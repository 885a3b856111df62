import ByteCodec

/// A key expression of a descriptor: a key, its origin, and the steps to the keys below it.
///
/// Spec: BIP-380, "Key Expressions"; BIP-389 for steps like `<0;1>`.
public struct DescriptorKey: Sendable {
    /// The key as written.
    public enum Material: Sendable {
        /// 33 or 65 bytes.
        case publicKey([UInt8])
        /// An x coordinate, 32 bytes; only in `tr`.
        case xOnly([UInt8])
        /// A single private key.
        case privateKey(WalletImportFormat)
        /// The top of a tree of public keys.
        case extended(ExtendedPublicKey)
        /// The top of a tree of private keys.
        case extendedPrivate(ExtendedPrivateKey)
    }

    /// A step below an extended key.
    public enum Step: Hashable, Sendable {
        /// The same in every branch.
        case one(ChildNumber)
        /// A different one in each branch, in this order; at least two.
        case eachBranch([ChildNumber])
    }

    /// The last element.
    public enum Wildcard: Hashable, Sendable {
        /// `*`
        case normal
        /// `*h`
        case hardened
    }

    /// The most branches of a multipath step. Wallets have two, receiving and change, and some have a few more for
    /// recovery keys; every branch costs a derivation of every key.
    static let maximumBranchCount = 32
    /// The most steps of an origin, and of the path below a key: a key's serialization cannot count more.
    ///
    /// Spec: BIP-32, "Serialization format".
    public static let maximumDepth = 255

    /// The key's origin; `nil` when it is not given. A hint, never a proof.
    public let origin: KeyOrigin?
    /// The key itself, before its path is derived: public, private or extended.
    public let material: Material
    /// The steps from the key, without the wildcard.
    public let steps: [Step]
    /// Whether it ends in a wildcard, and so has a key for every index.
    public let wildcard: Wildcard?

    init(origin: KeyOrigin?, material: Material, steps: [Step] = [], wildcard: Wildcard? = nil) {
        self.origin = origin
        self.material = material
        self.steps = steps
        self.wildcard = wildcard
    }

    /// The number of branches; 1 without a multipath step.
    public var branchCount: Int {
        for case .eachBranch(let choices) in steps { return choices.count }
        return 1
    }

    /// Whether the key is private.
    public var isPrivate: Bool {
        switch material {
        case .privateKey, .extendedPrivate: true
        case .publicKey, .xOnly, .extended: false
        }
    }

    /// Whether the key is known to be encoded uncompressed.
    var isUncompressed: Bool {
        switch material {
        case .publicKey(let bytes): bytes.count != PublicKey.length
        case .privateKey(let key): !key.isCompressed
        case .xOnly, .extended, .extendedPrivate: false
        }
    }

    /// The key's path below its origin, or below the extended key when that has none.
    /// - Parameters:
    ///   - branch: the index of the multipath step's choice.
    ///   - index: replaces the wildcard; without one it has no effect.
    /// - Throws: `.noSuchScript`.
    func path(branch: Int, index: UInt32) throws(DescriptorError) -> DerivationPath {
        var path: [ChildNumber] = []
        for step in steps {
            switch step {
            case .one(let number): path.append(number)
            case .eachBranch(let choices):
                guard choices.indices.contains(branch) else { throw .noSuchScript }
                path.append(choices[branch])
            }
        }
        if let wildcard {
            guard let last = wildcard == .normal ? ChildNumber.normal(index) : .hardened(index) else {
                throw .noSuchScript
            }
            path.append(last)
        }
        return DerivationPath(path)
    }

    /// The key's encoding: 33 or 65 bytes, or 32 for an x coordinate.
    /// - Throws: `.hardenedStep`, `.noSuchScript`; `.key(.encoding)` for a path too deep (the chance of another cause is
    ///   below 2⁻¹²⁷).
    public func publicKey(branch: Int = 0, index: UInt32 = 0) throws(DescriptorError) -> [UInt8] {
        let path = try path(branch: branch, index: index)
        do throws(ExtendedKeyError) {
            switch material {
            case .publicKey(let bytes), .xOnly(let bytes): return bytes
            case .privateKey(let key): return key.publicKeyBytes
            case .extended(let key): return try key.descendant(path).publicKey.bytes
            case .extendedPrivate(let key): return try key.descendant(path).neutered.publicKey.bytes
            }
        } catch {
            if case .hardenedStep = error { throw .hardenedStep }
            throw .key(.encoding)
        }
    }

    /// Master fingerprint and whole path of a key, as in a PSBT. For an extended key without origin, its own fingerprint;
    /// `nil` for a single key without origin.
    public func origin(branch: Int = 0, index: UInt32 = 0) throws(DescriptorError) -> KeyOrigin? {
        let path = try path(branch: branch, index: index)
        if let origin { return KeyOrigin(fingerprint: origin.fingerprint, path: origin.path.appending(path)) }
        switch material {
        case .extended(let key): return KeyOrigin(fingerprint: key.fingerprint, path: path)
        case .extendedPrivate(let key): return KeyOrigin(fingerprint: key.neutered.fingerprint, path: path)
        case .publicKey, .xOnly, .privateKey: return nil
        }
    }

    /// The expression; `nil` if it has a private key, which is never written.
    var text: String? {
        let key: String
        switch material {
        case .publicKey(let bytes), .xOnly(let bytes): key = Hex.encode(bytes)
        case .extended(let extended): key = extended.text
        case .privateKey, .extendedPrivate: return nil
        }
        let below = steps.map { step in
            switch step {
            case .one(let number): "/\(number)"
            case .eachBranch(let choices): "/<" + choices.map(\.description).joined(separator: ";") + ">"
            }
        }
        let last = wildcard.map { $0 == .normal ? "/*" : "/*h" } ?? ""
        return (origin?.description ?? "") + key + below.joined() + last
    }

    /// The expression of one branch.
    func branch(_ number: Int) -> DescriptorKey {
        let steps = steps.map { step in
            if case .eachBranch(let choices) = step { Step.one(choices[number]) } else { step }
        }
        return DescriptorKey(origin: origin, material: material, steps: steps, wildcard: wildcard)
    }
}
