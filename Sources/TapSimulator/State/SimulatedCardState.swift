import Bitcoin
import ByteCodec

/// Everything that a simulated card keeps while it has no power.
struct SimulatedCardState: Sendable, Equatable {
    let network: SimulatedNetwork
    let version: AppletVersion
    /// The block height when the card was made, 700 000–999 999.
    let birth: Int
    /// The factory that signed the certificates.
    let factory: SimulatedFactory
    /// The card's own key.
    var cardKey: StoredSecret
    /// Signatures of 65 bytes, batch first.
    var certificates: [HexBytes]
    /// All its randomness is derived from this; `nil` uses the system's.
    let seed: HexBytes?
    /// How often the card was powered. With a seed, each power cycle has its own randomness.
    var powerCycles: UInt64 = 0
    /// The percentage of signatures that end in error 205.
    let unluckyPercent: Int
    /// Whether a signer's `derive` is signed by the derived key; cards use the master key.
    let signsDeriveWithDerivedKey: Bool
    /// How the card deviates from the protocol's text. Habits concerning certificates are in the certificates.
    var habits: Set<CardHabit> = []
    /// How long it takes for what is slow on real cards.
    var delays = CardDelays()
    /// Whether the card has detected tampering; `status` and the tap link report it forever.
    var isTampered = false
    /// 6–32 bytes.
    var cvc: StoredSecret
    /// Wrong CVCs in a row.
    var wrongAttempts = 0
    /// How many `wait` commands must run before the next CVC is checked.
    var authDelay = 0
    /// The part that depends on the product.
    var content: ProductState

    var product: SimulatedProduct { content.product }

    /// The card's own key.
    /// - Throws: `CardFault.invalidState` for bytes that are not a key, which an opened file never has.
    func cardPrivateKey() throws(CardFault) -> PrivateKey {
        guard let key = try? PrivateKey(cardKey.bytes) else { throw .invalidState }
        return key
    }

    /// The key of a signer card and its path, if one was picked.
    var signerKey: SignerKey? {
        get {
            switch content {
            case .tapsigner(let state): state.key
            case .satschip(let state): state.key
            case .satscard: nil
            }
        }
        set {
            switch content {
            case .tapsigner(var state):
                state.key = newValue
                content = .tapsigner(state)
            case .satschip(var state):
                state.key = newValue
                content = .satschip(state)
            case .satscard: break
            }
        }
    }
}

extension SimulatedCardState {
    /// Checks that every value is one that a card can have.
    /// - Throws: `SimulatedCardError.damaged`, which names the value.
    func validate() throws(SimulatedCardError) {
        try Self.expect((0...999_999).contains(birth), "birth height")
        try Self.expect(certificates.allSatisfy { $0.bytes.count == 65 }, "certificates")
        try Self.expect((0...100).contains(unluckyPercent), "share of unlucky signatures")
        try Self.expect(CardHabit.canBeTogether(habits), "habit")
        try Self.expect(delays.isPossible, "delay")
        try Self.expect((6...32).contains(cvc.bytes.count), "CVC")
        try Self.expect((0...3).contains(wrongAttempts) && (0...15).contains(authDelay), "count of attempts")
        try Self.expect((try? cardPrivateKey()) != nil, "card key")
        switch content {
        case .tapsigner(let state):
            try Self.expect(state.aesKey.bytes.count == AES128CTR.keyLength, "AES key")
            try Self.expect((0...TapsignerState.mostBackups).contains(state.backups), "count of backups")
        case .satschip: break
        case .satscard(let state):
            try Self.expect((1...255).contains(state.slots.count), "count of slots")
            // Unsealed slots, then at most one sealed, then unused ones.
            let unopened = state.slots.drop { $0.isUnsealed }
            try Self.expect(unopened.dropFirst().allSatisfy { $0 == .unused }, "order of the slots")
            try Self.expect(
                state.slots.compactMap(\.key).allSatisfy { (try? $0.master(network)) != nil }, "slot key")
            let isKnown = state.selfOpenedSlots.allSatisfy {
                state.slots.indices.contains($0) && state.slots[$0].isUnsealed
            }
            try Self.expect(isKnown && (isTampered || state.selfOpenedSlots.isEmpty), "tampered slot")
        }
        if let signerKey {
            try Self.expect(DerivePath.isAllowed(signerKey.path), "path")
            try Self.expect((try? signerKey.master.master(network)) != nil, "master key")
        }
    }

    private static func expect(_ condition: Bool, _ what: String) throws(SimulatedCardError) {
        guard condition else { throw SimulatedCardError(.damaged, "The card's file has an invalid \(what).") }
    }
}
