/// The card that a reader pretends to have in its empty slot for a module (SAM). It is all that a driver of the class
/// sees: the card in the field is reached only by commands for the chip.
///
/// Not known from hardware: what is answered to a command that only a module could run.
///
/// Spec: ISO 7816-3, section 8.2 (answer to reset): nothing but T=0, which is the default.
struct PretendedCard {
    static let answerToReset: [UInt8] = [0x3B, 0x00]
    /// The status word for any command: unknown instruction.
    static let refusal: [UInt8] = [0x6D, 0x00]

    var hasPower = false

    /// It is never absent.
    var status: CCIDReply.CardStatus { hasPower ? .active : .inactive }
}
