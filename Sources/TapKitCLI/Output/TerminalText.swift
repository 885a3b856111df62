import FrontEndText

/// By its own name here, where nearly every file that shows something needs it.
typealias TerminalText = FrontEndText.TerminalText
