import Bitcoin

/// The card's side of the CVC: who may use it, and how fast anyone may guess.
///
/// Spec: protocol, "Authentication".
extension CardCore {
    /// Seconds of `wait` after the third wrong CVC in a row.
    static let delayAfterWrongCVCs = 15
    /// How many wrong CVCs in a row cause no delay.
    static let freeAttempts = 3

    /// Checks the CVC in a request.
    /// - Returns: the session key; `nil` if the command needs no CVC, or its CVC is optional and missing.
    /// - Throws: `.needsAuth` if fields are missing, `.rateLimited` during a delay, `.badArguments` for fields of
    ///   impossible length, `.badAuth` for a wrong CVC or an ephemeral key off the curve.
    mutating func authenticate(
        _ request: CardRequest, need: AuthenticationNeed
    ) throws(CardFault) -> SessionKey? {
        guard need != .none else { return nil }
        guard request.has("epubkey"), request.has("xcvc") else {
            guard need == .optional else { throw .needsAuth }
            return nil
        }
        guard state.authDelay == 0 else { throw .rateLimited }
        let ephemeralKey = try request.bytes("epubkey", length: PublicKey.length)
        let xcvc = try request.bytes("xcvc", length: 6...32)
        let session = try SessionKey(cardKey: state.cardPrivateKey(), ephemeralKey: ephemeralKey)
        guard xcvc.count == state.cvc.bytes.count else {
            if state.version.countsWrongLength { countWrongCVC() }
            throw .badAuth
        }
        let cvc = session.revealCVC(xcvc, cardNonce: nonce, command: request.command)
        guard cvc.isEqual(to: state.cvc.bytes) else {
            countWrongCVC()
            throw .badAuth
        }
        state.wrongAttempts = 0
        return session
    }

    private mutating func countWrongCVC() {
        state.wrongAttempts = min(Self.freeAttempts, state.wrongAttempts + 1)
        if state.wrongAttempts == Self.freeAttempts { state.authDelay = Self.delayAfterWrongCVCs }
    }
}
