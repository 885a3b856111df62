import ByteCodec

/// Makes a card misbehave. The simulator has only honest cards; tests supply the lies.
///
/// Called under the card's lock.
protocol CardMischief: AnyObject, Sendable {
    /// Whether the card never changes its nonce.
    var keepsNonce: Bool { get }

    /// Called when the field comes up.
    func powerCame(to card: inout CardCore)

    /// Answers a command in place of its handler.
    /// - Parameter honest: returns the honest response.
    func answer(
        _ request: CardRequest, session: SessionKey?, card: inout CardCore, honest: NextAnswer
    ) throws(CardFault) -> CBORMap
}

/// Handles a request honestly.
typealias NextAnswer = (CardRequest, inout CardCore) throws(CardFault) -> CBORMap

extension CardCore {
    /// Runs a command.
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
