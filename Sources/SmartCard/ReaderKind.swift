/// What drives a reader. The raw value is what `tapkit readers --json` shows, and what names of such readers begin with.
///
/// A backend names its own kind beside itself.
public struct ReaderKind: RawRepresentable, Hashable, Sendable {
    /// One word in lower case.
    public let rawValue: String

    /// The kind of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// This process: a simulated card, never genuine.
    public static let sim = ReaderKind(rawValue: "sim")
}
