import Bitcoin
import ByteCodec

/// `xpub`: the master key or the key in use, as BIP-32 serializes it; the parent fingerprint is always zero.
///
/// Spec: protocol, "Commands", `xpub`.
enum XpubHandler: CommandHandler {
    static let name = "xpub"
    static let products: Set<SimulatedProduct> = [.tapsigner, .satschip]

    static func authentication(on product: SimulatedProduct) -> AuthenticationNeed { .required }

    static func answer(
        _ request: CardRequest, session: SessionKey?, card: inout CardCore
    ) throws(CardFault) -> CBORMap {
        let wantsMaster = try request.flag("master")
        let key = wantsMaster ? try card.state.masterKey() : try card.state.derivedKey()
        let orphan = ExtendedPublicKey(
            network: key.network, depth: key.depth, childNumber: key.childNumber, chainCode: key.chainCode,
            publicKey: key.privateKey.publicKey)
        return ["xpub": .bytes(orphan.serialized)]
    }
}
