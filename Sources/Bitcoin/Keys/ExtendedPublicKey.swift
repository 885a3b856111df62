/// A public key with a chain code, from which unhardened children derive.
///
/// Spec: BIP-32.
public struct ExtendedPublicKey: Hashable, Sendable {
    /// Which network's version bytes the serialization carries.
    public let network: KeyNetwork
    /// Steps below the master key, 0–255.
    public let depth: UInt8
    /// The parent key's fingerprint; zero for a master key, and for a card's key whose parent is unknown.
    public let parentFingerprint: Fingerprint
    /// The last step; zero for a master key.
    public let childNumber: ChildNumber
    /// What children derive from, together with the key.
    public let chainCode: ChainCode
    /// The key at this depth, 33 bytes compressed.
    public let publicKey: PublicKey

    /// A key at any depth. Whether it is a child of `parentFingerprint`'s key cannot be checked.
    public init(
        network: KeyNetwork, depth: UInt8 = 0, parentFingerprint: Fingerprint = .zero,
        childNumber: ChildNumber = ChildNumber(rawValue: 0), chainCode: ChainCode, publicKey: PublicKey
    ) {
        self.network = network
        self.depth = depth
        self.parentFingerprint = parentFingerprint
        self.childNumber = childNumber
        self.chainCode = chainCode
        self.publicKey = publicKey
    }

    /// Reads a 78-byte serialization (`xpub` or `tpub` version bytes).
    /// - Throws: `ExtendedKeyError` for anything that BIP-32 calls invalid.
    public init(serialized bytes: [UInt8]) throws(ExtendedKeyError) {
        let fields = try ExtendedKeyFields(parsing: bytes)
        guard let network = KeyNetwork(publicVersion: fields.version) else {
            throw .version(fields.version)
        }
        let publicKey: PublicKey
        do { publicKey = try PublicKey(bytes[ExtendedKeyFields.keyRange]) } catch { throw .key(error) }
        self.network = network
        depth = fields.depth
        parentFingerprint = fields.parentFingerprint
        childNumber = fields.childNumber
        chainCode = fields.chainCode
        self.publicKey = publicKey
    }

    /// Reads Base58Check text (`xpub…`, `tpub…`).
    public init(parsing text: some StringProtocol) throws(ExtendedKeyError) {
        let payload: [UInt8]
        do { payload = try Base58Check.decode(text) } catch { throw .notBase58Check(error) }
        try self.init(serialized: payload)
    }

    /// The 78-byte serialization.
    public var serialized: [UInt8] {
        ExtendedKeyFields(
            version: network.publicVersion, depth: depth, parentFingerprint: parentFingerprint,
            childNumber: childNumber, chainCode: chainCode
        ).serialized + publicKey.bytes
    }

    /// Base58Check text, 111 characters.
    public var text: String { Base58Check.encode(serialized) }

    /// The same key with the version bytes of another family of networks.
    public func written(for network: KeyNetwork) -> ExtendedPublicKey {
        ExtendedPublicKey(
            unchecked: network, depth: depth, parentFingerprint: parentFingerprint, childNumber: childNumber,
            chainCode: chainCode, publicKey: publicKey)
    }

    /// The key's own fingerprint.
    public var fingerprint: Fingerprint { Fingerprint(of: publicKey) }

    /// The child at an unhardened step.
    /// - Throws: `ExtendedKeyError.hardenedStep`, `.tooDeep`, or `.key(.invalidResult)` (chance below 2⁻¹²⁷).
    ///
    /// Spec: BIP-32, "Public parent key → public child key".
    public func child(_ step: ChildNumber) throws(ExtendedKeyError) -> ExtendedPublicKey {
        guard !step.isHardened else { throw .hardenedStep(step) }
        guard depth < 255 else { throw .tooDeep }
        // Nothing here is secret, so nothing needs protected memory.
        let code = HMACSHA512.authenticate(
            key: chainCode.bytes, publicMessage: publicKey.bytes + ExtendedKeyFields.bigEndianBytes(step.rawValue))
        let childKey: PublicKey
        do { childKey = try publicKey.adding(tweak: Array(code[..<32])) } catch { throw .key(error) }
        return ExtendedPublicKey(
            unchecked: network, depth: depth + 1, parentFingerprint: fingerprint, childNumber: step,
            chainCode: ChainCode(unchecked: Array(code[32...])), publicKey: childKey)
    }

    /// The descendant at a path of unhardened steps.
    public func descendant(_ path: DerivationPath) throws(ExtendedKeyError) -> ExtendedPublicKey {
        var key = self
        for step in path.steps { key = try key.child(step) }
        return key
    }

    init(
        unchecked network: KeyNetwork, depth: UInt8, parentFingerprint: Fingerprint, childNumber: ChildNumber,
        chainCode: ChainCode, publicKey: PublicKey
    ) {
        self.network = network
        self.depth = depth
        self.parentFingerprint = parentFingerprint
        self.childNumber = childNumber
        self.chainCode = chainCode
        self.publicKey = publicKey
    }
}
