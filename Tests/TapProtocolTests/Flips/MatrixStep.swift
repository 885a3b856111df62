import Bitcoin

@testable import TapProtocol

/// A session call as a flow makes it, whose result can be compared.
struct MatrixStep: Sendable {
    /// A certificate chain that leads nowhere: the caller must not go on.
    struct Refused: Error {}

    let name: String
    let products: Set<CardProduct>
    let scenes: Set<Scene>
    /// Whether the step begins with SELECT, whose answer alone is then altered.
    var selects = false
    /// Whether only half of the signatures succeed, and the first one here does not.
    var isUnlucky = false
    /// Whether the card refuses the CVC, as it should.
    var isRefused = false
    /// Whether the card has the new CVC afterwards.
    var changesCVC = false
    /// What the session knows before; nothing of it is altered.
    var prepare: @Sendable (TapSession, MatrixCard) throws -> Void = { _, _ in }
    /// Gives what the caller gets, as text.
    let run: @Sendable (TapSession, MatrixCard) throws -> String

    /// The next command of the same flow, which uses the nonce that the step left behind.
    func follow(_ session: TapSession, _ card: MatrixCard) throws -> String {
        switch (session.status.product, session.status.isSetUp, session.status.address) {
        case (.satscard, _, .some): return try session.read().description
        case (.satscard, _, nil), (_, false, _):
            _ = try session.send(CheckCommand(slotKey: nil))
            return "checked"
        case (_, true, _):
            return try session.extendedPublicKey(master: false, cvc: changesCVC ? card.newCVC : card.cvc).text
        }
    }

    static func of(_ model: MatrixModel, _ scene: Scene) -> [MatrixStep] {
        (common + satscard + slotProbes + signers + probes)
            .filter { $0.products.contains(model.product) && $0.scenes.contains(scene) }
    }

    /// The same step, whatever the luck.
    var anyLuck: MatrixStep {
        var step = self
        step.isUnlucky = false
        return step
    }

    private static let every = Set(CardProduct.allCases)

    private static let common: [MatrixStep] = [
        MatrixStep(name: "select", products: every, scenes: Set(Scene.allCases), selects: true) { _, _ in "selected" },
        MatrixStep(
            name: "select, then proveCard", products: every,
            scenes: Set(Scene.allCases).subtracting([.delayed, .tampered, .someOpened]), selects: true
        ) { session, card in try prove(session, card) },
        MatrixStep(name: "refreshStatus", products: every, scenes: Set(Scene.allCases).subtracting([.lastSealed])) {
            session, _ in
            try session.refreshStatus()
            return "refreshed"
        },
        MatrixStep(
            name: "proveCard", products: every, scenes: [.ready, .firstSealed, .unused]
        ) { session, card in try prove(session, card) },
        MatrixStep(
            name: "proveCard, certificates known", products: every, scenes: [.someOpened, .lastSealed, .full],
            prepare: { session, card in _ = try prove(session, card) }
        ) { session, card in try prove(session, card) },
        MatrixStep(name: "tapURL", products: every, scenes: [.ready, .someOpened]) { session, _ in
            try session.tapURL()
        },
        MatrixStep(
            name: "tapLink", products: every, scenes: [.ready, .firstSealed, .full]
        ) { session, _ in
            // Each link has a nonce of its own, and a signature.
            guard let link = try session.tapLink().proven else { return "nothing to prove" }
            return "\(link.product) \(link.state) \(link.subject) \(link.publicKey)"
        },
        MatrixStep(name: "wait", products: every, scenes: [.delayed]) { session, _ in String(try session.wait()) },
        MatrixStep(name: "wait with CVC", products: every, scenes: [.ready, .firstSealed]) { session, card in
            String(try session.wait(cvc: card.cvc))
        },
    ]

    static func prove(_ session: TapSession, _ card: MatrixCard) throws -> String {
        let proof = try session.proveCard(customRoots: [card.root])
        guard proof.verdict.isAccepted else { throw Refused() }
        guard let slot = proof.activeSlot else { return "no slot" }
        return "\(slot.slot) \(slot.publicKey) \(slot.address) \(slot.seal)"
    }
}
