import Bitcoin
import ByteCodec

/// `xpub`: the extended public key at the card's path, or of its master key.
///
/// Verified: network, depth and last step fit the card's path, the key is the one known from other answers. The
/// parent's fingerprint proves nothing (cards write zeros): it is set to zero.
///
/// Spec: protocol, "Commands" and "Identities"; BIP-32, "Serialization format".
struct XPubCommand: TapCommand {
    static let name = "xpub"
    static let products = CardProduct.signers

    /// Whether the master key is asked for, instead of the one at the path.
    let isMaster: Bool

    static func authentication(for product: CardProduct) -> Authentication { .required }

    func arguments(in exchange: Exchange) -> CBORMap { ["master": .bool(isMaster)] }

    /// Where the asked key stands; `nil` while the card has none.
    func path(on card: CardStatus) -> DerivationPath? { isMaster ? DerivationPath() : card.path }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> ExtendedPublicKey {
        let serialized = try fields.bytes("xpub", count: 78)
        do {
            let key = try ExtendedPublicKey(serialized: serialized)
            guard
                let orphan = ExtendedPublicKey(
                    network: key.network, depth: key.depth, childNumber: key.childNumber, chainCode: key.chainCode,
                    publicKey: key.publicKey)
            else { throw ExtendedKeyError.length(key.chainCode.count) }
            return orphan
        } catch {
            throw fields.bad("xpub", "is no extended public key")
        }
    }

    func verify(_ response: ExtendedPublicKey, in exchange: Exchange) throws(TapError) {
        guard let path = path(on: exchange.card) else {
            throw .badProof(.extendedKey, detail: "the card has no path, and names a key")
        }
        guard Int(response.depth) == path.steps.count,
            response.childNumber == path.steps.last ?? ChildNumber(rawValue: 0)
        else { throw .badProof(.extendedKey, detail: "depth or last step are not those of \(path)") }
        guard response.network == exchange.card.keyNetwork else {
            throw .badProof(.extendedKey, detail: "the key is for another network than the card")
        }
        if let known = exchange.knownKeys.publicKey(at: path), known != response.publicKey {
            throw .badProof(.extendedKey, detail: "the key at \(path) is not the one the card named before")
        }
        if let known = exchange.knownKeys.extendedKey(at: path), known != response {
            throw .badProof(.extendedKey, detail: "the chain code at \(path) is not the one the card named before")
        }
    }
}
