/// The flows that are journalled. The raw value is what the store and `--json` say.
public enum FlowKind: String, Sendable, Hashable, CaseIterable, Codable {
    case setup
    case backup
    case changeCVC = "change-cvc"
    case derive
    case unseal
    case nextSlot = "next-slot"
    case sign
}
