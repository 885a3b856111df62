import Bitcoin

/// What lies in the chip's field, seen from the chip: a card of ISO 14443-4, type A.
public protocol PN532Target: Sendable {
    /// The identifier of ISO 14443-3, 4 or 7 bytes.
    var identifier: [UInt8] { get }

    /// The historical bytes of the answer to select (ATS), up to 15; a tap card's spell `Coinkite`.
    var historicalBytes: [UInt8] { get }

    /// The field comes up; called when the chip activates a card that has no power.
    /// - Throws: `SimulatedCardError` of a card that stays mute.
    func powerOn() throws(SimulatedCardError)

    /// The field drops.
    func powerOff()

    /// Runs one APDU; may block as long as the card works. Called on a thread of its own, one call at a time.
    /// - Returns: the answer with its status word; `nil`: the card left the field before it answered.
    func answer(apdu: [UInt8]) -> [UInt8]?
}

extension SimulatedCard: PN532Target {
    /// Seven bytes that follow from the card's public key: the same at each tap.
    public var identifier: [UInt8] {
        let key = (try? state.cardPrivateKey().publicKey.bytes) ?? []
        return [0x04] + SHA256.hash(Array("identifier".utf8) + key).prefix(6)
    }

    /// `Coinkite`.
    public var historicalBytes: [UInt8] { Array("Coinkite".utf8) }

    /// Runs one APDU.
    /// - Returns: the answer with its status word; `nil` of a card without power, and of one that was taken away.
    public func answer(apdu: [UInt8]) -> [UInt8]? { hasPower ? exchange(apdu: apdu) : nil }
}
