import CPCSC

/// What a reader says of itself and of the card on it, without a connection to the card.
public struct PCSCReaderState: Sendable, Equatable {
    /// Whether a card lies on the reader, one that does not answer included.
    public let isCardPresent: Bool
    /// Whether the card that lies there does not answer.
    public let isCardMute: Bool
    /// Whether another program holds the card for itself alone.
    public let isHeldExclusively: Bool
    /// The card's answer to reset, at most 33 bytes; empty without a card. Contactless readers make it up
    /// themselves, so it identifies nothing.
    ///
    /// Spec: PC/SC Workgroup part 3, section 3.1.3.2.3.
    public let answerToReset: [UInt8]

    /// Whether the service still knows the reader.
    let isReaderThere: Bool
    /// Counts insertions and removals, so that a card that was away between two looks is noticed.
    let eventCount: UInt16

    init(_ state: SCARD_READERSTATE) {
        func has(_ flag: Int32) -> Bool { state.dwEventState & DWORD(flag) != 0 }
        isReaderThere = !has(SCARD_STATE_UNKNOWN) && !has(SCARD_STATE_UNAVAILABLE)
        isCardPresent = has(SCARD_STATE_PRESENT)
        isCardMute = has(SCARD_STATE_MUTE)
        isHeldExclusively = has(SCARD_STATE_EXCLUSIVE)
        eventCount = UInt16(truncatingIfNeeded: state.dwEventState >> 16)
        answerToReset = withUnsafeBytes(of: state.rgbAtr) { Array($0.prefix(Int(clamping: state.cbAtr))) }
    }
}
