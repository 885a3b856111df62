import Glibc
import TextLayout

extension Console {
    /// The lines of a table, as wide as the terminal on standard output, in the characters that it has.
    package func lines(_ table: Table) -> [String] {
        table.written(TerminalStyle(of: STDOUT_FILENO).written).lines(width: tableWidth)
    }
}
