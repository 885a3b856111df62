/// A private key with a chain code, from which every child derives.
///
/// Spec: BIP-32.
public struct ExtendedPrivateKey: Sendable {
    /// Which network's version bytes the serialization carries.
    public let network: KeyNetwork
    /// Steps below the master key, 0–255.
    public let depth: UInt8
    /// The parent key's fingerprint; zero for a master key.
    public let parentFingerprint: Fingerprint
    /// The last step; zero for a master key.
    public let childNumber: ChildNumber
    /// What children derive from, together with the key.
    public let chainCode: ChainCode
    /// The key at this depth; wiped from memory when the last reference is released.
    public let privateKey: PrivateKey

    /// The master key, at depth 0, from a key and chain code that do not come from a seed, as on a card.
    public init(master privateKey: PrivateKey, chainCode: ChainCode, network: KeyNetwork) {
        self.init(
            unchecked: network, depth: 0, parentFingerprint: .zero, childNumber: ChildNumber(rawValue: 0),
            chainCode: chainCode, privateKey: privateKey)
    }

    /// The master key of a seed.
    /// - Parameter seed: 16–64 bytes.
    /// - Throws: `ExtendedKeyError.seedLength`, or `.key(.outOfRange)` (chance below 2⁻¹²⁷).
    ///
    /// Spec: BIP-32, "Master key generation".
    public init(seed: SecretBytes, network: KeyNetwork) throws(ExtendedKeyError) {
        guard (16...64).contains(seed.count) else { throw .seedLength(seed.count) }
        let code = SecretBytes(count: 64) { buffer in
            seed.withBytes { HMACSHA512.authenticate(key: "Bitcoin seed".utf8, message: $0, into: buffer) }
        }
        let key: PrivateKey
        do { key = try PrivateKey(code.firstHalf) } catch { throw .key(error) }
        self.init(
            unchecked: network, depth: 0, parentFingerprint: .zero, childNumber: ChildNumber(rawValue: 0),
            chainCode: ChainCode(unchecked: code.withBytes { Array($0[32...]) }), privateKey: key)
    }

    /// Reads Base58Check text (`xprv…`, `tprv…`).
    /// - Throws: `ExtendedKeyError` for anything that BIP-32 calls invalid. No error contains any part of the text.
    public init(parsing text: some StringProtocol) throws(ExtendedKeyError) { try self.init(utf8: text.utf8) }

    /// Reads Base58Check text that is not a `String` because the caller will wipe it.
    /// - Throws: like `init(parsing:)`.
    public init(utf8 text: some Collection<UInt8>) throws(ExtendedKeyError) {
        var payload: [UInt8]
        do { payload = try Base58Check.decode(utf8: text) } catch { throw .notBase58Check(error) }
        defer { payload.wipe() }
        let fields = try ExtendedKeyFields(parsing: payload)
        guard let network = KeyNetwork(privateVersion: fields.version) else {
            throw .version(fields.version)
        }
        let keyRange = ExtendedKeyFields.keyRange
        guard payload[keyRange].first == 0 else { throw .key(.outOfRange) }
        let key: PrivateKey
        do { key = try PrivateKey(SecretBytes(payload[keyRange].dropFirst())) } catch { throw .key(error) }
        self.init(
            unchecked: network, depth: fields.depth, parentFingerprint: fields.parentFingerprint,
            childNumber: fields.childNumber, chainCode: fields.chainCode, privateKey: key)
    }

    /// Base58Check text, 111 characters. Secret: the caller must keep it short-lived.
    public var text: String {
        let fields = ExtendedKeyFields(
            version: network.privateVersion, depth: depth, parentFingerprint: parentFingerprint,
            childNumber: childNumber, chainCode: chainCode)
        var serialized: [UInt8] = []
        serialized.reserveCapacity(ExtendedKeyFields.serializationLength)
        defer { serialized.wipe() }
        serialized += fields.serialized + [0]
        privateKey.secret.withBytes { serialized.append(contentsOf: $0) }
        return Base58Check.encode(serialized)
    }

    /// The public half: the same place in the tree, no private key.
    public var neutered: ExtendedPublicKey {
        ExtendedPublicKey(
            unchecked: network, depth: depth, parentFingerprint: parentFingerprint, childNumber: childNumber,
            chainCode: chainCode, publicKey: privateKey.publicKey)
    }

    /// The child at a step, hardened or not.
    /// - Throws: `ExtendedKeyError.tooDeep`, or `.key(.invalidResult)` (chance below 2⁻¹²⁷).
    ///
    /// Spec: BIP-32, "Private parent key → private child key".
    public func child(_ step: ChildNumber) throws(ExtendedKeyError) -> ExtendedPrivateKey {
        guard depth < 255 else { throw .tooDeep }
        let publicKey = privateKey.publicKey
        let message = SecretBytes(count: PublicKey.length + 4) { buffer in
            if step.isHardened {
                privateKey.secret.withBytes {
                    UnsafeMutableRawBufferPointer(rebasing: buffer[1...]).copyMemory(from: $0)
                }
            } else {
                buffer.copyBytes(from: publicKey.bytes)
            }
            UnsafeMutableRawBufferPointer(rebasing: buffer[PublicKey.length...])
                .copyBytes(from: ExtendedKeyFields.bigEndianBytes(step.rawValue))
        }
        let code = SecretBytes(count: 64) { buffer in
            message.withBytes { HMACSHA512.authenticate(key: chainCode.bytes, message: $0, into: buffer) }
        }
        let childKey: PrivateKey
        do { childKey = try privateKey.adding(tweak: code.firstHalf) } catch { throw .key(error) }
        return ExtendedPrivateKey(
            unchecked: network, depth: depth + 1, parentFingerprint: Fingerprint(of: publicKey),
            childNumber: step, chainCode: ChainCode(unchecked: code.withBytes { Array($0[32...]) }),
            privateKey: childKey)
    }

    /// The descendant at a path.
    public func descendant(_ path: DerivationPath) throws(ExtendedKeyError) -> ExtendedPrivateKey {
        var key = self
        for step in path.steps { key = try key.child(step) }
        return key
    }

    private init(
        unchecked network: KeyNetwork, depth: UInt8, parentFingerprint: Fingerprint, childNumber: ChildNumber,
        chainCode: ChainCode, privateKey: PrivateKey
    ) {
        self.network = network
        self.depth = depth
        self.parentFingerprint = parentFingerprint
        self.childNumber = childNumber
        self.chainCode = chainCode
        self.privateKey = privateKey
    }
}

extension SecretBytes {
    /// The first 32 of 64 bytes.
    fileprivate var firstHalf: SecretBytes {
        SecretBytes(count: 32) { buffer in
            withBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<32])) }
        }
    }
}
