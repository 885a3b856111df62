import Bitcoin
import TapManager
import TapProtocol

/// An opened slot's private key, for people.
enum OpenedSlotText {
    /// Key and descriptor, one a line, indented.
    static func lines(_ opened: OpenedSlot) -> [String] {
        var lines = ["  Key (WIF): \(opened.walletImportFormat)", "  Descriptor: \(opened.descriptor)"]
        if opened.wasExposed {
            lines.append("  The card sent the slot's master key UNHIDDEN: whoever listened has this key, too.")
        }
        if opened.isTampered { lines.append("  TAMPERED WITH, says the card: somebody else may know this key.") }
        return lines
    }

    /// What everybody must know who has seen a key.
    static let warning = "Whoever sees this key can take the money: move it to another address now."
}
