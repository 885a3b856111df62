/// What a listener comes to know in spite of everything that a host can do: the protocol hides a value by XOR with the key
/// that hides the CVC. README and manual have the same list, word for word.
enum Leak: String, CaseIterable {
    case signature
    case changedCVC
    case openedSlot
    case shownSlotKey

    /// What comes out of a story once everything is public that will be; `nil`: nothing.
    static func leak(of story: Story) -> Leak? {
        switch story.name {
        case "sign", "message sign", "hwi signmessage": .signature
        case "unseal": .openedSlot
        default: nil
        }
    }

    /// As people read it.
    var sentence: String {
        switch self {
        case .signature: "a signature, once the transaction or the message is known: the CVC"
        case .changedCVC:
            "a change of the CVC, to whoever knows one of the two: the other, as far as the present one is long"
        case .openedSlot: "the opening of a SATSCARD's slot, to whoever comes to know its key: the CVC"
        case .shownSlotKey:
            "a look at an opened slot's key (--show-keys, or unseal once more), to whoever knows it: the CVC"
        }
    }
}
