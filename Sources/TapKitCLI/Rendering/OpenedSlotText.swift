import Bitcoin
import TapManager
import TapProtocol

/// An unsealed slot's private key, for the user.
enum OpenedSlotText {
    /// Key and descriptor, one per line, indented.
    static func lines(_ opened: OpenedSlot) -> [String] {
        var lines = ["  Key (WIF): \(opened.walletImportFormat)", "  Descriptor: \(opened.descriptor)"]
        if opened.wasExposed {
            lines.append(
                "  The card sent the slot's master key UNENCRYPTED: anyone who was listening has this key, too.")
        }
        if opened.isTampered {
            lines.append(
                "  The card reports that it was TAMPERED WITH: somebody else may know this key.")
        }
        return lines
    }

    /// The line for a key that an earlier answer may have had.
    static let unknownExposure =
        "  It is not known whether the card sent this key UNENCRYPTED when the slot was unsealed."

    /// The warning for anyone who has seen a key.
    static let warning = "Anyone who sees this key can take the money. Move it to another address now."
}
