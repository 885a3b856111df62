import TapProtocol

/// The words for a slot's key that the card sent, or may have sent, in plain while the slot is swept.
package enum ExposedSlotKey {
    /// What happened, and what to do now.
    /// - Parameter isCertain: whether the card is known to have sent it so.
    package static func words(_ slot: SlotNumber, isCertain: Bool) -> String {
        let sent =
            isCertain
            ? "The card sent the key of slot \(slot) UNENCRYPTED: anyone who was listening has it, too,"
            : "The card may have sent the key of slot \(slot) UNENCRYPTED: anyone who was listening may have it, too,"
        return "\(sent) and can take the money until the sweep is confirmed. Broadcast the sweep at once, and do not "
            + "set up another slot on this reader unless you trust it."
    }
}
