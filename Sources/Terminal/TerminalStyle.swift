import Glibc

/// What a stream can show: how wide a line is, whether it has colours, and whether more than ASCII. The only place that
/// decides this.
package struct TerminalStyle: Equatable {
    /// The terminal's columns, if it reports them; `nil`: lines are not broken.
    package var columns: Int?
    /// Whether escape sequences for colours are supported and wanted.
    package var isColoured = false
    /// Whether only ASCII can be shown.
    package var isASCII = false

    /// The default is that of no terminal: whole lines, without colours, in UTF-8.
    package init(columns: Int? = nil, isColoured: Bool = false, isASCII: Bool = false) {
        (self.columns, self.isColoured, self.isASCII) = (columns, isColoured, isASCII)
    }

    /// What can be shown on a stream.
    /// - Parameter environment: a variable's value; `nil` if it is unset or empty.
    ///
    /// Spec: no-color.org; bixense.com/clicolors (`CLICOLOR_FORCE`); POSIX, "Environment Variables" (locale).
    package init(of descriptor: Int32, environment: (String) -> String? = EnvironmentVariable.value) {
        let isTerminal = isatty(descriptor) == 1
        if isTerminal { columns = TerminalRoom(of: descriptor).columns.map { max($0, Self.leastColumns) } }
        isColoured = Self.isColoured(isTerminal: isTerminal, environment)
        isASCII = Self.isASCII(environment)
    }

    /// On narrower terminals, the terminal breaks words.
    private static let leastColumns = 20

    private static func isColoured(isTerminal: Bool, _ environment: (String) -> String?) -> Bool {
        if environment("NO_COLOR") != nil { return false }
        if let forced = environment("CLICOLOR_FORCE"), forced != "0" { return true }
        guard isTerminal, let type = environment("TERM") else { return false }
        return type != "dumb"
    }

    /// If no locale is set, UTF-8 is assumed.
    private static func isASCII(_ environment: (String) -> String?) -> Bool {
        guard let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first else { return false }
        let name = locale.lowercased()
        return !name.contains("utf-8") && !name.contains("utf8")
    }

    /// ASCII replacements for the other characters in the program's own texts.
    private static let plainSigns: [Character: String] = [
        "“": "\"", "”": "\"", "‘": "'", "’": "'", "—": "-", "–": "-", "…": "...", "·": "-", "×": "x", "→": "->",
        "\u{FFFD}": "?",
    ]

    /// The text with characters that can be shown. Letters of other scripts, for example in labels, stay.
    package func written(_ text: String) -> String {
        guard isASCII, text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        return text.map { Self.plainSigns[$0] ?? String($0) }.joined()
    }

    /// The line in its colours.
    package func coloured(_ line: String, _ weight: ScreenLine.Weight) -> String {
        guard isColoured, weight != .plain else { return line }
        return "\u{1B}[\(weight == .alarm ? "1;31" : "1")m\(line)\u{1B}[0m"
    }
}
