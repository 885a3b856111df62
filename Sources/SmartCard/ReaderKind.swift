/// The kind of a reader. The raw value is what `tapkit readers --json` shows, and the start of such readers' names.
///
/// Each backend defines its own kind.
public struct ReaderKind: RawRepresentable, Hashable, Sendable {
    /// One word in lower case.
    public let rawValue: String

    /// The kind of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// This process: a simulated card, never genuine.
    public static let sim = ReaderKind(rawValue: "sim")
}
