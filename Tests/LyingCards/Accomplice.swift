import Bitcoin

@testable import TapSimulator

/// Keys of another card in a dishonest card's hands.
public struct Accomplice: Sendable {
    let cardKey: StoredSecret
    let certificates: [HexBytes]
    let key: PickedKey

    init(cardKey: StoredSecret, certificates: [HexBytes], key: PickedKey) {
        self.cardKey = cardKey
        self.certificates = certificates
        self.key = key
    }

    /// A card of a factory that exists only for its keys.
    /// - Parameters:
    ///   - factory: whose certificates it has.
    ///   - seed: from which its keys follow.
    /// - Throws: `SimulatedCardError.badOptions` when the factory cannot certify it.
    public init(of factory: SimulatedFactory, seed: [UInt8] = Array("accomplice".utf8)) throws(SimulatedCardError) {
        var random = CardRandom(seed: seed, session: 0)
        let key = PrivateKey(using: &random)
        cardKey = StoredSecret(key.secret)
        certificates = try factory.certificates(for: key.publicKey, header: .segwit).map(HexBytes.init)
        self.key = PickedKey(masterKey: PrivateKey(using: &random), chainCode: random.bytes(32))
    }

    /// The keys of a card, as if it had been broken open: its own, and its signing key or that of its sealed slot.
    /// - Throws: `SimulatedCardError.badOptions` for a card without a key.
    public init(_ card: SimulatedCard) throws(SimulatedCardError) {
        let state = card.state
        let picked: PickedKey?
        if case .satscard(let slots) = state.content {
            picked = slots.sealedKey ?? slots.slots.compactMap(\.key).last
        } else {
            picked = state.signerKey?.master
        }
        guard let picked else { throw SimulatedCardError(.badOptions, "The other card has no key.") }
        cardKey = state.cardKey
        certificates = state.certificates
        key = picked
    }
}
