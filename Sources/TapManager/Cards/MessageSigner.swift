import Bitcoin
import TapProtocol

/// Which of the card's keys signs.
public enum MessageSigner: Sendable {
    /// TAPSIGNER, SATSCHIP: the key at these unhardened steps (0–2) below the card's path, as an address of this kind;
    /// `nil`: the kind that the path's purpose implies, else P2WPKH.
    case path(DerivationPath, ScriptKind?)
    /// SATSCARD: an unsealed slot; `nil`: the one that was unsealed last.
    case slot(SlotNumber?)
}

extension MessageSigner {
    /// Whether a card can sign at these steps below its path: 0–2 unhardened ones.
    package static func isSubpath(_ path: DerivationPath) -> Bool { CardPath(path)?.account.steps.isEmpty == true }

    /// Why a card in this state has no such key to sign with; `nil` if nothing is known to prevent it.
    func obstacle(_ status: CardStatus) -> FlowError? {
        guard case .slot(let named) = self else { return status.isSetUp ? nil : .notSetUp }
        guard let slots = status.slots else { return nil }
        guard let named else {
            return slots.active == 0 && slots.total > 1 ? .slotSealed(SlotNumber(index: 0)) : nil
        }
        guard (0..<slots.total).contains(named.index) else { return .noSuchSlot(named, count: slots.total) }
        return named.index > slots.active ? .slotUnused(named) : nil
    }

    /// Confirms that a card has such keys, so that nobody is asked for a CVC in vain.
    /// - Throws: `FlowError`: `.wrongProduct`, `.badPath`.
    func require(of card: CardAtHand) throws(FlowError) {
        let product = card.status.product
        switch self {
        case .path(let subpath, _):
            guard product != .satscard else { throw .wrongProduct(product, task: .signMessageBelowPath) }
            guard Self.isSubpath(subpath) else { throw .badPath(subpath) }
        case .slot:
            guard product == .satscard else { throw .wrongProduct(product, task: .signMessageBySlot) }
        }
    }
}
