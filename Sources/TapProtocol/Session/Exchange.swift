import Bitcoin

/// The values in force when a command is sent, recorded before it is transmitted: proofs are checked against these, not
/// against the values in the response.
///
/// Spec: protocol, "Nonces" and "What must be verified, always".
struct Exchange {
    /// Bytes of a nonce, the card's or ours.
    static let nonceLength = 16

    private static let messagePrefix = Array("OPENDIME".utf8)

    /// The card according to its last status.
    let card: CardStatus
    /// The card's nonce, 16 bytes.
    let cardNonce: [UInt8]
    /// Our nonce, 16 bytes, if the command sends one; otherwise empty.
    let appNonce: [UInt8]
    /// The command's session key, if it is authenticated.
    let sessionKey: SessionKey?
    /// Keys of this card known from earlier, verified responses.
    let knownKeys: KnownKeys
    /// Receives trace events, if set.
    let trace: (@Sendable (TraceEvent) -> Void)?

    /// The digest that the card must sign: prefix, card nonce, our nonce, then `content`.
    func digest(over content: [UInt8] = []) -> Digest {
        Digest(hashing: Self.messagePrefix + cardNonce + appNonce + content)
    }
}
