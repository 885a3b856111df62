/// What drives a reader. The raw value is what `tapkit readers --json` shows.
public enum ReaderKind: String, Sendable {
    /// The PC/SC service (pcscd).
    case pcsc
    /// libnfc.
    case nfc
    /// This process: a simulated card, never genuine.
    case sim
}
