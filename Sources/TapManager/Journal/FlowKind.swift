/// The flows that are recorded in the journal. The raw value is used in the store and in `--json`.
public enum FlowKind: String, Sendable, Hashable, CaseIterable, Codable {
    case setup
    case backup
    case changeCVC = "change-cvc"
    case derive
    case unseal
    case nextSlot = "next-slot"
    case sign
}
