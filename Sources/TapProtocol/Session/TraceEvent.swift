/// What passes between host and card, for `--trace`. Secrets are masked; see `TraceMask`.
public enum TraceEvent: Sendable, Hashable {
    /// A command APDU in hexadecimal.
    case sent(command: String, apdu: String)
    /// An answer with its status word in hexadecimal.
    case received(command: String, answer: String)
    /// A command is sent once more because of this refusal.
    case repeated(command: String, refusal: CardError)
    /// The card had lost power and was selected again.
    case selectedAgain
    /// Which key signed the answer to `derive`.
    case deriveSigned(by: DeriveSigner)
    /// The answer has another form than the protocol has it, one that no proof needs: it was taken. `detail` is printable
    /// ASCII without secrets.
    case form(command: String, detail: String)
}

/// Which key a card signs its answer to `derive` with. Cards use the master key; the published text says the derived
/// key, and so does the maker's emulator.
///
/// Spec: protocol, "What must be verified, always", note.
public enum DeriveSigner: String, Sendable, Hashable {
    /// The master key.
    case master
    /// The key at the derived path.
    case derived
}
