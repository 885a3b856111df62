/// What is exchanged between host and card, for `--trace`. Secrets are masked; see `TraceMask`.
public enum TraceEvent: Sendable, Hashable {
    /// A command APDU in hexadecimal.
    case sent(command: String, apdu: String)
    /// A response with its status word in hexadecimal.
    case received(command: String, answer: String)
    /// A command is repeated because of this refusal.
    case repeated(command: String, refusal: CardError)
    /// The card had lost power and was selected again.
    case selectedAgain
    /// Which key signed the response to `derive`.
    case deriveSigned(by: DeriveSigner)
    /// A form in the response deviates from the protocol. No proof needs it, so it was accepted. `detail` is printable
    /// ASCII without secrets.
    case form(command: String, detail: String)
}

/// The key with which a card signs its response to `derive`. Cards use the master key; the published text says the
/// derived key, which the maker's emulator uses.
///
/// Spec: protocol, "What must be verified, always", note.
public enum DeriveSigner: String, Sendable, Hashable {
    /// The master key.
    case master
    /// The key at the derived path.
    case derived
}
