import ByteCodec

/// `wait`: uses up one second of the delay after wrong CVCs.
///
/// An optional CVC is checked only when no delay is left; the response then shows whether it is right.
///
/// Spec: protocol, "Commands", `wait`.
enum WaitHandler: CommandHandler {
    static let name = "wait"
    static let nonceRule = NonceRule.keeps

    static func answer(
        _ request: CardRequest, session: SessionKey?, card: inout CardCore
    ) throws(CardFault) -> CBORMap {
        if card.state.authDelay == 0 { _ = try card.authenticate(request, need: .optional) }
        card.state.authDelay = max(0, card.state.authDelay - 1)
        card.owedWaits += 1
        return ["success": .bool(true), "auth_delay": .unsigned(UInt64(card.state.authDelay))]
    }
}
