import ExplainedErrors
import FrontEndText

/// Why something failed, in its host's words, with whatever command lines help.
package struct HWIExplanation: Sendable, Equatable {
    package let code: ErrorCode
    /// What happened, line by line; at least one.
    package let lines: [String]
    /// What to do about it; empty when there is nothing to say.
    package let hint: String

    /// An explanation from its parts; what in them is from outside is made harmless.
    package init(code: ErrorCode, lines: [String], hint: String) {
        self.code = code
        self.lines = lines.map { TerminalText.neutralized($0) }
        self.hint = TerminalText.neutralized(hint)
    }

    /// The same with another first line.
    func retold(_ line: String) -> HWIExplanation {
        HWIExplanation(code: code, lines: [line] + lines.dropFirst(), hint: hint)
    }

    /// The same with something said before it, and a hint if it has none.
    func prefixed(_ text: String, hint other: String) -> HWIExplanation {
        HWIExplanation(
            code: code, lines: [text + (lines.first ?? "")] + lines.dropFirst(), hint: hint.isEmpty ? other : hint)
    }
}
