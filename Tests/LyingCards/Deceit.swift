import Bitcoin
import ByteCodec

@testable import TapSimulator

/// The dishonest side of a card: which lies it tells, and what it must remember for them. Never kept in a file.
///
/// Only the card touches it, under its lock.
final class Deceit: CardMischief, @unchecked Sendable {
    let lies: [Dishonesty]
    var accomplice: Accomplice
    /// How often the card got power since it began to lie.
    private var taps = 0
    /// How many `status` answers it gave.
    var statusAnswers = 0
    /// The chain code that the app gave, which was not used.
    var claimedChainCode: [UInt8]?
    /// The path that the app asked for, which is not in force.
    var claimedPath: [UInt32]?

    init(_ lies: [Dishonesty], accomplice: Accomplice) {
        self.lies = lies
        self.accomplice = accomplice
    }

    var keepsNonce: Bool { lies.contains(.keepsNonce) }

    /// Becomes the accomplice at the second tap, and itself again at the third.
    func powerCame(to card: inout CardCore) {
        taps += 1
        guard lies.contains(.identChangesBetweenTaps), taps > 1 else { return }
        card.changePlaces(in: self)
    }

    /// Carries a command out, with every lie's say in it; the first one is the outermost.
    func answer(
        _ request: CardRequest, session: SessionKey?, card: inout CardCore, honest: NextAnswer
    ) throws(CardFault) -> CBORMap {
        try answer(request, session: session, card: &card, lies: lies[...], honest: honest)
    }

    private func answer(
        _ request: CardRequest, session: SessionKey?, card: inout CardCore, lies: ArraySlice<Dishonesty>,
        honest: NextAnswer
    ) throws(CardFault) -> CBORMap {
        guard let lie = lies.first else { return try honest(request, &card) }
        return try lie.answer(request, session: session, accomplice: accomplice, card: &card) {
            (request: CardRequest, card: inout CardCore) throws(CardFault) in
            try answer(request, session: session, card: &card, lies: lies.dropFirst(), honest: honest)
        }
    }
}

extension CardCore {
    /// What it lies by; `nil` when it is honest.
    var deceit: Deceit? { mischief as? Deceit }

    /// Takes the accomplice's identity and leaves it its own.
    mutating func changePlaces(in deceit: Deceit) {
        let other = deceit.accomplice
        deceit.accomplice = Accomplice(cardKey: state.cardKey, certificates: state.certificates, key: other.key)
        state.takeIdentity(of: other)
    }

    /// Does something as if the state were another; the true one is unchanged afterwards.
    mutating func pretending(
        _ pretence: (inout SimulatedCardState) -> Void, _ body: (inout CardCore) throws(CardFault) -> CBORMap
    ) throws(CardFault) -> CBORMap {
        let truth = state
        defer { state = truth }
        pretence(&state)
        return try body(&self)
    }
}

extension Dishonesty {
    /// What the card answers to a command with this lie.
    func answer(
        _ request: CardRequest, session: SessionKey?, accomplice: Accomplice, card: inout CardCore, next: NextAnswer
    ) throws(CardFault) -> CBORMap {
        switch self {
        case .noCertificates, .ownCertificates, .certificatesOfAnotherCard, .identityOfAnotherCard,
            .checkByAnotherKey, .checkRelayed, .identChangesBetweenTaps, .identChangesBetweenAnswers:
            try identityAnswer(request, accomplice: accomplice, card: &card, next: next)
        case .slotKeyOfAnotherCard, .readByAnotherKey, .addressOfAnotherKey, .addressWithForeignMiddle,
            .openedSlotSaidSealed, .dumpHidesOpenedSlots, .unsealsAnotherKey, .dumpsAnotherKey:
            try slotAnswer(request, session: session, accomplice: accomplice, card: &card, next: next)
        case .ignoresChainCode, .claimsSuppliedChainCode, .xpubOfAnotherKey, .masterXpubOfAnotherKey,
            .xpubWithAnotherChainCode, .derivesAnotherPath, .backupOfAnotherKey, .changesNothing:
            try keyAnswer(request, accomplice: accomplice, card: &card, next: next)
        case .signsWithAnotherKey, .signsWithAnotherKeyInOurName, .signsAnotherDigest, .signsAtAnotherSubpath,
            .signsWithHighS, .signsWithHighR, .linkByAnotherKey:
            try signatureAnswer(request, session: session, accomplice: accomplice, card: &card, next: next)
        // The nonce is kept by the dispatcher.
        case .keepsNonce: try next(request, &card)
        }
    }
}

extension SimulatedCardState {
    /// Puts another card's key in the place of this one's.
    mutating func takeIdentity(of accomplice: Accomplice) {
        cardKey = accomplice.cardKey
        certificates = accomplice.certificates
    }

    /// Puts another key in the place of a signer's, or of every slot's that is in a state.
    mutating func takeKey(of accomplice: Accomplice, inSealedSlot: Bool = false, inOpenedSlots: Bool = false) {
        signerKey = signerKey.map { SignerKey(master: accomplice.key, path: $0.path) }
        changeSlots { slots in
            for slot in slots.slots.indices {
                switch slots.slots[slot] {
                case .sealed where inSealedSlot: slots.slots[slot] = .sealed(accomplice.key)
                case .unsealed where inOpenedSlots: slots.slots[slot] = .unsealed(accomplice.key)
                default: break
                }
            }
        }
    }

    /// Changes a SATSCARD's slots; nothing on other products.
    mutating func changeSlots(_ change: (inout SatscardState) -> Void) {
        guard case .satscard(var slots) = content else { return }
        change(&slots)
        content = .satscard(slots)
    }
}
