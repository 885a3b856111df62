import CPCSC

/// What a reader reports of itself and of its card, without a connection to the card.
public struct PCSCReaderState: Sendable, Equatable {
    /// Whether a card is on the reader, even one that does not answer.
    public let isCardPresent: Bool
    /// Whether the card on the reader does not answer.
    public let isCardMute: Bool
    /// Whether another program uses the card exclusively.
    public let isHeldExclusively: Bool
    /// The card's answer to reset (ATR), at most 33 bytes; empty without a card. Contactless readers build it
    /// themselves, so it identifies nothing.
    ///
    /// Spec: PC/SC Workgroup part 3, section 3.1.3.2.3.
    public let answerToReset: [UInt8]

    /// Whether the service still lists the reader.
    let isReaderThere: Bool
    /// Counts insertions and removals, so that a card that was removed and put back between two looks is noticed.
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
