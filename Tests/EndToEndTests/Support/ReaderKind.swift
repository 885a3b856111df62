import Testing

/// The kinds of reader that a simulated card is laid on; what holds on one must hold on the other.
enum ReaderKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// The virtual reader of the real PC/SC service.
    case pcsc
    /// A PN532 chip on a pseudo-terminal, driven by the real libnfc.
    case nfc

    var testDescription: String { self == .pcsc ? "PC/SC" : "libnfc" }
}
