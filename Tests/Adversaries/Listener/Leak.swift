/// What a listener comes to know in spite of everything that a host can do: the protocol hides a value by XOR with the key
/// that hides the CVC. The handbook has the same list, word for word.
enum Leak: String, CaseIterable {
    case signature
    case changedCVC
    case openedSlot
    case shownSlotKey

    /// Whether it is about a SATSCARD's slots, for keys that a person asked to see.
    var isOfSlots: Bool { self == .openedSlot || self == .shownSlotKey }

    /// Whether it comes out of the story at once, with nothing known from elsewhere: our simulated card sends the slot's
    /// master key as the maker's emulator does.
    static func isImmediate(in story: Story) -> Bool { story.name == "unseal" }

    /// What comes out of a story once everything is public that will be; `nil`: nothing.
    static func leak(of story: Story) -> Leak? {
        switch story.name {
        case "sign", "message sign", "hwi signmessage", "sweep": .signature
        case "unseal": .openedSlot
        case "slots --show-keys", "unseal once more": .shownSlotKey
        default: nil
        }
    }

    /// As people read it.
    var sentence: String {
        switch self {
        case .signature: "a signature: the CVC, once the transaction or the message is known"
        case .changedCVC:
            "a change of the CVC: the difference between the two, digit by digit, for as many digits as the old one has; "
                + "and with either of them the other"
        case .openedSlot:
            "the unsealing of a SATSCARD's slot: the CVC, once the slot's key is known; and if the card sends the slot's "
                + "master key in the clear, that key at once"
        case .shownSlotKey:
            "a look at an unsealed slot's key (--show-keys, or unseal once more): the CVC, or nearly all of it"
        }
    }
}
