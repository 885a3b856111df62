import TapManager

extension ActiveSlotState {
    /// For the user.
    var text: String {
        switch self {
        case .sealed(isProven: true): "sealed"
        case .sealed(isProven: false): "sealed, according to the card (its version cannot prove it)"
        case .sealedOrOpened: "sealed or unsealed (find out with tapkit slots)"
        case .unused: "unused"
        case .unusedOrOpened: "unused or unsealed (find out with tapkit slots)"
        case .usedUp: "UNSEALED: the card is used up"
        }
    }

    /// What to do with the card now.
    /// - Parameter hasUnsealed: whether an earlier slot was unsealed, and so may still hold money.
    func nextStep(hasUnsealed: Bool) -> String {
        switch self {
        case .sealed(isProven: true): "tapkit address to receive, tapkit sweep --to ADDRESS --all to take the money out"
        case .sealed(isProven: false):
            "tapkit address to receive (you are asked first), tapkit sweep --to ADDRESS --all to take the money out"
        case .unused(let slot): (hasUnsealed ? "\(Self.sweepStep), " : "") + "tapkit setup to give slot \(slot) a key"
        case .sealedOrOpened, .unusedOrOpened: "\(Self.sweepStep), tapkit slots"
        case .usedUp: "\(Self.sweepStep); do not pay to this card any more"
        }
    }

    private static let sweepStep = "tapkit sweep --to ADDRESS to move what unsealed slots still hold"
}
