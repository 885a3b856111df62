import ByteCodec

/// `certs`: the signatures that lead from the card's key to the factory's root.
///
/// Spec: protocol, "Commands", `certs`.
enum CertsHandler: CommandHandler {
    static let name = "certs"
    static let nonceRule = NonceRule.keeps

    static func answer(
        _ request: CardRequest, session: SessionKey?, card: inout CardCore
    ) throws(CardFault) -> CBORMap {
        var answer: CBORMap = ["cert_chain": .array(card.state.certificates.map { .bytes($0.bytes) })]
        // The nonce in force: the maker's client checks the proof that follows with the one from `status`.
        if card.state.version.certsCarryNonce { answer["card_nonce"] = .bytes(card.nonce) }
        return answer
    }
}
