import Bitcoin
import ExplainedErrors

/// A text that somebody typed in the place of a derivation path, and that is none.
package struct NoPath: ExplainedError, Equatable {
    let text: String

    /// `bad_path`.
    package var code: ErrorCode { .badPath }
    /// The text itself.
    package var message: String { "“\(TerminalText.neutralized(text))” is no derivation path." }
    /// What a path looks like.
    package var remedy: String { "For example m/84h/0h/0h, or m/84h/1h/0h on test networks." }
}

extension DerivationPath {
    /// Reads a path as people type them, such as `m/84h/0h/0h`.
    package init(typed text: String) throws(NoPath) {
        do { self = try DerivationPath(parsing: text) } catch { throw NoPath(text: text) }
    }
}
