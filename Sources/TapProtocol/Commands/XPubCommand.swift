import Bitcoin
import ByteCodec

/// `xpub`: the extended public key at the card's path, or of its master key.
///
/// Verified: the key and the chain code match those known from other responses. Nothing else in the serialization
/// matters: the extended key is rebuilt for the requested path and the card's network, with a parent fingerprint of zero,
/// as cards write it.
///
/// Spec: protocol, "Commands" and "Identities"; BIP-32, "Serialization format".
struct XPubCommand: TapCommand {
    static let name = "xpub"
    static let products = CardProduct.signers

    /// Whether to ask for the master key instead of the key at the path.
    let isMaster: Bool

    static func authentication(for product: CardProduct) -> Authentication { .required }

    func arguments(in exchange: Exchange) -> CBORMap { ["master": .bool(isMaster)] }

    /// The path of the requested key; `nil` while the card has none.
    func path(on card: CardStatus) -> DerivationPath? { isMaster ? DerivationPath() : card.path }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> ExtendedPublicKey {
        let serialized = try fields.bytes("xpub", count: Self.serializedLength)
        guard let path = path(on: exchange.card), let depth = UInt8(exactly: path.steps.count) else {
            throw fields.bad("xpub", "is present although the card has no path")
        }
        guard let publicKey = try? PublicKey(serialized[Self.keyStart...]),
            let chainCode = ChainCode(serialized[Self.chainCodeStart..<Self.keyStart])
        else { throw fields.bad("xpub", "is not an extended public key") }
        let key = ExtendedPublicKey(
            network: exchange.card.keyNetwork, depth: depth, childNumber: path.steps.last ?? ChildNumber(rawValue: 0),
            chainCode: chainCode, publicKey: publicKey)
        if key.serialized != serialized {
            fields.note(
                "`xpub` begins with \(Hex.encode(serialized[..<Self.chainCodeStart])), unlike the key at \(path)")
        }
        return key
    }

    func verify(_ response: ExtendedPublicKey, in exchange: Exchange) throws(TapError) {
        guard let path = path(on: exchange.card) else { return }
        if let known = exchange.knownKeys.publicKey(at: path), known != response.publicKey {
            throw .badProof(.extendedKey, detail: "the key at \(path) is not the one the card gave before")
        }
        if let known = exchange.knownKeys.extendedKey(at: path), known != response {
            throw .badProof(.extendedKey, detail: "the chain code at \(path) is not the one the card gave before")
        }
    }

    /// Bytes of an extended key: version, depth, parent's fingerprint, child number; chain code; key.
    private static let serializedLength = 78
    private static let chainCodeStart = 13
    private static let keyStart = 45
}
