import ExplainedErrors
import TextLayout

/// Why something failed, in the host's words, with command lines that help.
package struct HWIExplanation: Sendable, Equatable {
    package let code: ErrorCode
    /// What happened, line by line; at least one.
    package let lines: [String]
    /// What to do about it; may be empty.
    package let hint: String

    /// An explanation from its parts; text from outside is made harmless.
    package init(code: ErrorCode, lines: [String], hint: String) {
        self.code = code
        self.lines = lines.map { TerminalText.neutralized($0) }
        self.hint = TerminalText.neutralized(hint)
    }

    /// The same with another first line.
    func retold(_ line: String) -> HWIExplanation {
        HWIExplanation(code: code, lines: [line] + lines.dropFirst(), hint: hint)
    }

    /// The same with another hint.
    func advising(_ hint: String) -> HWIExplanation { HWIExplanation(code: code, lines: lines, hint: hint) }

    /// The same with text before it, and a hint if it has none.
    func prefixed(_ text: String, hint other: String) -> HWIExplanation {
        HWIExplanation(
            code: code, lines: [text + (lines.first ?? "")] + lines.dropFirst(), hint: hint.isEmpty ? other : hint)
    }
}
