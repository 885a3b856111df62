import Bitcoin
import ByteCodec

/// `sign`: signs a digest with the key at the card's path plus a sub-path.
///
/// Verified: the returned key signed our digest, and is the key at the path, if the extended key above it is known. A
/// high S is made low; a high R is accepted.
///
/// Spec: protocol, "Commands" and "What must be verified, always"; BIP-62 (low S).
struct SignCommand: TapCommand {
    static let name = "sign"
    static let products = CardProduct.signers

    /// The most steps below the card's path.
    static let maximumSubpathSteps = 2

    /// What is signed.
    let digest: Digest
    /// 0–2 unhardened steps.
    let subpath: DerivationPath

    /// - Throws: `TapError.invalidArgument` for more than two steps, or a hardened one.
    init(digest: Digest, subpath: DerivationPath) throws(TapError) {
        guard subpath.steps.count <= Self.maximumSubpathSteps else {
            throw Self.invalid(
                "a sub-path has at most \(Self.maximumSubpathSteps) steps, but this one has \(subpath.steps.count)")
        }
        guard !subpath.steps.contains(where: \.isHardened) else {
            throw Self.invalid("a sub-path cannot have hardened steps")
        }
        self.digest = digest
        self.subpath = subpath
    }

    static func authentication(for product: CardProduct) -> Authentication { .required }

    func arguments(in exchange: Exchange) -> CBORMap {
        [
            "slot": .unsigned(0), "digest": .bytes(exchange.sessionKey?.hidden(digest.bytes) ?? []),
            "subpath": .array(subpath.steps.map { .unsigned(UInt64($0.rawValue)) }),
        ]
    }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> CardSignature {
        try fields.confirmSlot(SlotNumber(index: 0))
        guard exchange.card.path != nil else { throw fields.bad("sig", "is present although the card has no path") }
        return CardSignature(
            signature: try fields.signature("sig"), publicKey: try fields.publicKey("pubkey"))
    }

    func verify(_ response: CardSignature, in exchange: Exchange) throws(TapError) {
        try response.verify(over: digest)
        if let path = exchange.card.path?.appending(subpath), let known = exchange.knownKeys.publicKey(at: path),
            known != response.publicKey
        {
            throw .badProof(.signingKey, detail: "the returned key is not the one at \(path)")
        }
    }
}
