import Bitcoin
import ExplainedErrors
import TextLayout

/// Text that was typed as a derivation path, but is not one.
package struct NoPath: ExplainedError, Equatable {
    let text: String

    /// `bad_path`.
    package var code: ErrorCode { .badPath }
    /// The text itself.
    package var message: String { "“\(TerminalText.neutralized(text))” is not a derivation path." }
    /// What a path looks like.
    package var remedy: String { "For example m/84h/0h/0h, or m/84h/1h/0h on test networks." }
}

extension DerivationPath {
    /// Parses a path as the user types it, such as `m/84h/0h/0h`.
    package init(typed text: String) throws(NoPath) {
        do { self = try DerivationPath(parsing: text) } catch { throw NoPath(text: text) }
    }
}
