/// What an error is about, so that a front end can point at it.
public enum ErrorSubject: Sendable, Hashable {
    /// A transaction's input, by its number from 0.
    case input(Int)
    /// A reader, by the name that it is asked for with.
    case reader(String)
    /// A card, by its ident.
    case card(String)
    /// A SATSCARD's slot, by its number from 1.
    case slot(Int)
    /// A file or folder, by its path.
    case file(String)
    /// A wallet, by its name.
    case wallet(String)
    /// A transaction, by its id: 64 lower-case hexadecimal digits.
    case transaction(String)
    /// A derivation path.
    case path(String)
    /// A chain server, by its name.
    case server(String)
}
