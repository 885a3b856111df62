import Bitcoin

/// What is in force when a command is sent, taken down before it is transmitted: the answer's proofs are about these
/// values, not about those that the answer brings.
///
/// Spec: protocol, "Nonces" and "What must be verified, always".
struct Exchange {
    /// Bytes of a nonce, the card's or ours.
    static let nonceLength = 16

    private static let messagePrefix = Array("OPENDIME".utf8)

    /// The card as its last status had it.
    let card: CardStatus
    /// The card's nonce, 16 bytes.
    let cardNonce: [UInt8]
    /// Our nonce, 16 bytes, if the command sends one; otherwise empty.
    let appNonce: [UInt8]
    /// The command's session key, if it is authenticated.
    let sessionKey: SessionKey?
    /// Keys of this card that are known from earlier, verified answers.
    let knownKeys: KnownKeys
    /// Who is told what happens, if anybody.
    let trace: (@Sendable (TraceEvent) -> Void)?

    /// The digest that the card has to sign: prefix, card nonce, our nonce, then `content`.
    func digest(over content: [UInt8] = []) -> Digest {
        Digest(hashing: Self.messagePrefix + cardNonce + appNonce + content)
    }
}
