import Bitcoin

/// Derivation paths as people type them.
enum PathArgument {
    /// Reads a path such as `m/84h/0h/0h`.
    static func parse(_ text: String) throws(Failure) -> DerivationPath {
        do { return try DerivationPath(parsing: text) } catch {
            throw Failure(
                .badPath, "“\(TerminalText.neutralized(text))” is no derivation path.", hint: "For example m/84h/0h/0h."
            )
        }
    }
}
