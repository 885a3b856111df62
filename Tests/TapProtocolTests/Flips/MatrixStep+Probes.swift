import Bitcoin

@testable import TapProtocol

/// The steps that end with a proof: what they say has hardly a byte without one.
extension MatrixStep {
    static let probes: [MatrixStep] = [
        MatrixStep(name: "probe", products: CardProduct.signers, scenes: [.ready], prepare: learnAll) {
            session, card in
            guard let account = session.knownKeys.extendedKey(at: card.path) else { throw Refused() }
            return try proven(account, session, card)
        },
        MatrixStep(
            name: "probe, the first number unlucky", products: CardProduct.signers, scenes: [.ready], isUnlucky: true,
            prepare: learnAll
        ) { session, card in
            guard let account = session.knownKeys.extendedKey(at: card.path) else { throw Refused() }
            return try proven(account, session, card)
        },
        MatrixStep(
            name: "probe with a wrong CVC", products: CardProduct.signers, scenes: [.ready], isRefused: true,
            prepare: learnAll
        ) { session, card in
            guard let account = session.knownKeys.extendedKey(at: card.path) else { throw Refused() }
            do {
                try session.probe(account, cvc: card.newCVC)
                return "right"
            } catch TapError.wrongCVC(let tries) { return "wrong CVC, \(tries)" }
        },
        MatrixStep(name: "xpub, then probe", products: CardProduct.signers, scenes: [.ready]) { session, card in
            try proven(try session.extendedPublicKey(master: false, cvc: card.cvc), session, card)
        },
        MatrixStep(name: "account, then probe", products: CardProduct.signers, scenes: [.ready]) { session, card in
            try proven(try session.account(at: card.otherPath, cvc: card.cvc).key, session, card)
        },
        MatrixStep(name: "setPath, then probe", products: CardProduct.signers, scenes: [.ready]) { session, card in
            try proven(try session.setPath(card.otherPath, cvc: card.cvc).key, session, card)
        },
        // As setups do it: the key is picked, then the card is asked at `m`.
        MatrixStep(name: "createKey, then probe at m", products: CardProduct.signers, scenes: [.blank]) {
            session, card in
            try session.createKey(chainCode: card.chainCode, cvc: card.cvc)
            let master = try session.setPath(DerivationPath(), cvc: card.cvc).key
            guard master.chainCode == card.chainCode else { throw Refused() }
            return try proven(master, session, card)
        },
    ]

    static let slotProbes: [MatrixStep] = [
        MatrixStep(
            name: "probe of an opened slot", products: [.satscard], scenes: [.someOpened, .full], prepare: learnSlot
        ) { session, card in try prove(SlotNumber(index: 2), session, card) },
        MatrixStep(name: "dump, then probe", products: [.satscard], scenes: [.someOpened, .full]) { session, card in
            let slot = SlotNumber(index: 1)
            guard case .unsealed(let address, _) = try session.dump(slot) else { throw Refused() }
            try session.probe(slot, at: address, cvc: card.cvc)
            return address.description
        },
        MatrixStep(
            name: "probe of an opened slot, the first number unlucky", products: [.satscard], scenes: [.someOpened],
            isUnlucky: true, prepare: learnSlot
        ) { session, card in try prove(SlotNumber(index: 2), session, card) },
    ]

    @Sendable private static func learnSlot(_ session: TapSession, _ card: MatrixCard) throws {
        _ = try session.dump(SlotNumber(index: 2), cvc: card.cvc)
    }

    private static func prove(_ slot: SlotNumber, _ session: TapSession, _ card: MatrixCard) throws -> String {
        guard let address = session.knownKeys.slotKey(slot).flatMap(session.status.slotAddress) else { throw Refused() }
        try session.probe(slot, at: address, cvc: card.cvc)
        return address.description
    }

    private static func proven(
        _ account: ExtendedPublicKey, _ session: TapSession, _ card: MatrixCard
    ) throws -> String {
        try session.probe(account, cvc: card.cvc)
        return account.text
    }
}
