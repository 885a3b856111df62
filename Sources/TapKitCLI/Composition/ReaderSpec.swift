import CardReaders

/// Which reader a person asks for.
enum ReaderSpec: Sendable, Equatable {
    /// Any PC/SC reader, or one whose name contains the text (case ignored).
    case pcsc(nameContains: String?)
    /// The devices that libnfc is configured for, or the one of this name.
    case nfc(NFCConnectionString?)
    /// A simulated card whose state is this file.
    case simulated(file: String)

    /// Reads `pcsc`, `pcsc:TEXT`, `nfc`, `nfc:CONNSTRING` or `sim:FILE`; `nil` for anything else.
    init?(parsing text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts[0], parts.count > 1 ? parts[1] : nil) {
        case ("pcsc", nil), ("pcsc", ""): self = .pcsc(nameContains: nil)
        case ("pcsc", let name?): self = .pcsc(nameContains: name)
        case ("nfc", nil), ("nfc", ""): self = .nfc(nil)
        case ("nfc", let name?):
            guard let connection = NFCConnectionString(name) else { return nil }
            self = .nfc(connection)
        case ("sim", let file?) where !file.isEmpty: self = .simulated(file: file)
        default: return nil
        }
    }
}
