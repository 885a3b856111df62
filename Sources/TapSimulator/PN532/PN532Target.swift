import Bitcoin

/// What is in the chip's field, as the chip sees it: an ISO 14443-4 type A card.
public protocol PN532Target: Sendable {
    /// The identifier of ISO 14443-3, 4 or 7 bytes.
    var identifier: [UInt8] { get }

    /// The historical bytes of the answer to select (ATS), up to 15; a tap card's spell `Coinkite`.
    var historicalBytes: [UInt8] { get }

    /// The field comes up; called when the chip activates a card that has no power.
    /// - Throws: `SimulatedCardError` if the card stays mute.
    func powerOn() throws(SimulatedCardError)

    /// The field drops.
    func powerOff()

    /// Runs one APDU; may block as long as the card works. Called on its own thread, one call at a time.
    /// - Returns: the response with its status word; `nil` if the card left the field before it answered.
    func answer(apdu: [UInt8]) -> [UInt8]?
}

extension SimulatedCard: PN532Target {
    /// Seven bytes derived from the card's public key: the same at each tap.
    public var identifier: [UInt8] {
        let key = (try? state.cardPrivateKey().publicKey.bytes) ?? []
        return [0x04] + SHA256.hash(Array("identifier".utf8) + key).prefix(6)
    }

    /// `Coinkite`.
    public var historicalBytes: [UInt8] { Array("Coinkite".utf8) }

    /// Runs one APDU.
    /// - Returns: the response with its status word; `nil` if the card has no power or was removed.
    public func answer(apdu: [UInt8]) -> [UInt8]? { hasPower ? exchange(apdu: apdu) : nil }
}
