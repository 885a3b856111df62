import TextLayout

extension Console {
    /// The lines of a table, as wide as the terminal on standard output.
    package func lines(_ table: Table) -> [String] { table.lines(width: tableWidth) }
}
