import Terminal
import TextLayout

// Aliases, because nearly every file that shows text needs them.

typealias TerminalText = TextLayout.TerminalText
typealias Table = TextLayout.Table
typealias Console = Terminal.Console
typealias ScreenLine = Terminal.ScreenLine
typealias EnvironmentVariable = Terminal.EnvironmentVariable
