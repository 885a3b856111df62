/// The key of one holder in a policy: an account's extended public key, and where it comes from.
///
/// Spec: BIP-380, "Key Expressions".
public struct PolicyKey: Hashable, Sendable, CustomStringConvertible {
    /// The master key's fingerprint and the path from there. Nothing proves it.
    public let origin: KeyOrigin
    /// The account's key, below which the keys of addresses are.
    public let key: ExtendedPublicKey

    /// - Parameters:
    ///   - origin: of `key`. Not verified here.
    ///   - key: at the origin's path.
    public init(origin: KeyOrigin, key: ExtendedPublicKey) {
        self.origin = origin
        self.key = key
    }

    /// Reads `[73c5da0a/48h/0h/0h/2h]xpub…`. What descriptors have after such a key, `/<0;1>/*` or `/**`, may follow, and is
    /// left out: a policy has its own.
    /// - Throws: `PolicyKeyFault`.
    ///
    /// Spec: BIP-380, BIP-389; BIP-388 for `/**`.
    public init(parsing text: some StringProtocol) throws(PolicyKeyFault) {
        let text = text.hasSuffix("/**") ? String(text.dropLast(3)) : String(text)
        let parsed: DescriptorKey
        do throws(DescriptorError) { parsed = try DescriptorKey(parsing: text) } catch {
            guard case .key(let fault) = error else { throw .key(.encoding) }
            throw .key(fault)
        }
        guard !parsed.isPrivate else { throw .privateKey }
        guard case .extended(let key) = parsed.material else { throw .notExtended }
        guard let origin = parsed.origin else { throw .noOrigin }
        let isBare = parsed.steps.isEmpty && parsed.wildcard == nil
        guard isBare || parsed.steps == [Self.step(0)] && parsed.wildcard == .normal else { throw .steps }
        self.init(origin: origin, key: key)
    }

    /// `[73c5da0a/48h/0h/0h/2h]xpub…`.
    public var description: String { origin.description + key.text }

    /// The key of each address of a wallet.
    /// - Parameter appearance: how often the key was on an earlier spending path: then it is at `<2;3>`, and so on, as
    ///   miniscript wants every key once.
    func expression(appearance: Int) -> DescriptorKey {
        DescriptorKey(
            origin: origin, material: .extended(key), steps: [Self.step(appearance)], wildcard: .normal)
    }

    /// `<0;1>`, `<2;3>`, …
    private static func step(_ appearance: Int) -> DescriptorKey.Step {
        let first = UInt32(2 * appearance)
        return .eachBranch([ChildNumber(rawValue: first), ChildNumber(rawValue: first + 1)])
    }
}

/// Why a text is not the key of a policy.
public enum PolicyKeyFault: Error, Hashable, Sendable {
    /// It cannot be read.
    case key(DescriptorKeyFault)
    /// It is private, and never needed here.
    case privateKey
    /// A single key, which has no keys below it.
    case notExtended
    /// It has no origin: no card would know that the key is its own.
    case noOrigin
    /// Other steps follow it than those of a wallet's addresses.
    case steps
}

extension PolicyKeyFault: CustomStringConvertible {
    /// What is wrong, for people. Contains no key.
    public var description: String {
        switch self {
        case .key(let fault): DescriptorError.key(fault).description
        case .privateKey: "it is a private key, and only public ones are needed"
        case .notExtended: "it is a single key, not an extended one (xpub, tpub)"
        case .noOrigin: "it has no origin before it, [fingerprint/path], without which no card knows its own key"
        case .steps: "it must end after the xpub or tpub: the wallet adds the steps itself"
        }
    }
}
