import FrontEndText

/// An alias, because nearly every file that shows text needs it.
typealias TerminalText = FrontEndText.TerminalText
