/// An account with one extended key: its addresses, and the descriptors that describe them to other wallets.
public struct AccountDescriptor: Hashable, Sendable {
    /// The two chains of addresses below an account's key.
    ///
    /// Spec: BIP-44, "Change".
    public enum Branch: UInt32, CaseIterable, Sendable {
        /// Receiving addresses, to give to others: step 0.
        case receive = 0
        /// Change addresses: step 1.
        case change = 1

        fileprivate var step: ChildNumber { ChildNumber(rawValue: rawValue) }
    }

    /// The kind of output.
    public let kind: ScriptKind
    /// Where the key comes from; `nil` when unknown.
    public let origin: KeyOrigin?
    /// The account's key, two steps above its addresses.
    public let key: ExtendedPublicKey

    /// - Parameters:
    ///   - origin: the master key and the path to `key`, for PSBTs; `nil`: not known.
    ///   - key: the account's key, two steps above its addresses.
    public init(kind: ScriptKind, origin: KeyOrigin?, key: ExtendedPublicKey) {
        self.kind = kind
        self.origin = origin
        self.key = key
    }

    /// Both branches in one descriptor, `…/<0;1>/*`, with its checksum.
    ///
    /// Spec: BIP-389.
    public var text: String { text(steps: "<0;1>/*") }

    /// One branch's descriptor, `…/0/*` or `…/1/*`, with its checksum: for wallets without multipath support.
    ///
    /// Spec: BIP-380.
    public func text(of branch: Branch) -> String { text(below: DerivationPath([branch.step])) }

    /// The descriptor of the keys below an unhardened path, `…/0/5/*`, with its checksum.
    ///
    /// Spec: BIP-380.
    public func text(below path: DerivationPath) -> String {
        text(steps: (path.steps.map(\.description) + ["*"]).joined(separator: "/"))
    }

    /// An address's key.
    /// - Parameter index: the address's index on its branch, below 2³¹.
    /// - Throws: `ExtendedKeyError.hardenedStep` for a larger index, `.tooDeep`, or `.key` (chance below 2⁻¹²⁷).
    public func publicKey(_ branch: Branch, _ index: UInt32) throws(ExtendedKeyError) -> PublicKey {
        try key.child(branch.step).child(ChildNumber(rawValue: index)).publicKey
    }

    /// The address with an index below 2³¹ on a branch; `nil` when the key is for the other family of networks.
    public func address(
        _ branch: Branch, _ index: UInt32, network: Network
    ) throws(ExtendedKeyError) -> Address? {
        guard network.keyNetwork == key.network else { return nil }
        return Address(scriptPubKey: kind.scriptPubKey(for: try publicKey(branch, index)), network: network)
    }

    private func text(steps: String) -> String {
        let descriptor = kind.descriptor(of: "\(origin?.description ?? "")\(key.text)/\(steps)")
        // Every character is in the descriptor alphabet, so a checksum always exists.
        return (try? DescriptorChecksum.append(to: descriptor)) ?? descriptor
    }
}
