import ByteCodec

/// What has a card do other than it should. The simulator knows honest cards alone; tests bring what lies.
///
/// Called under the card's lock.
protocol CardMischief: AnyObject, Sendable {
    /// Whether the card says the same nonce for ever.
    var keepsNonce: Bool { get }

    /// The field came up.
    func powerCame(to card: inout CardCore)

    /// Answers a command in its handler's place.
    /// - Parameter honest: what the card should answer.
    func answer(
        _ request: CardRequest, session: SessionKey?, card: inout CardCore, honest: NextAnswer
    ) throws(CardFault) -> CBORMap
}

/// What is done for a request, if nobody alters it.
typealias NextAnswer = (CardRequest, inout CardCore) throws(CardFault) -> CBORMap

extension CardCore {
    /// Carries a command out.
    mutating func carryOut(
        _ request: CardRequest, _ handler: any CommandHandler.Type, session: SessionKey?
    ) throws(CardFault) -> CBORMap {
        guard let mischief else { return try handler.answer(request, session: session, card: &self) }
        return try mischief.answer(request, session: session, card: &self) {
            (request: CardRequest, card: inout CardCore) throws(CardFault) in
            try handler.answer(request, session: session, card: &card)
        }
    }
}
