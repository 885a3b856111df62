import Glibc

/// What whoever reads a stream can be shown: how wide a line is, whether colours, whether more than ASCII. The one place that
/// decides it.
struct TerminalStyle: Equatable {
    /// The columns of a terminal that says how many it has; `nil`: nothing is broken.
    var columns: Int?
    /// Whether escape sequences for colours are understood, and wanted.
    var isColoured = false
    /// Whether only ASCII is.
    var isASCII = false

    /// No terminal: whole lines, without colours, in UTF-8.
    init(columns: Int? = nil, isColoured: Bool = false, isASCII: Bool = false) {
        (self.columns, self.isColoured, self.isASCII) = (columns, isColoured, isASCII)
    }

    /// What can be shown on a stream.
    /// - Parameter environment: a variable's value; `nil` when it is unset or empty.
    ///
    /// Spec: no-color.org; bixense.com/clicolors (`CLICOLOR_FORCE`); POSIX, "Environment Variables" (locale).
    init(of descriptor: Int32, environment: (String) -> String? = EnvironmentVariable.value) {
        let isTerminal = isatty(descriptor) == 1
        if isTerminal { columns = TerminalRoom(of: descriptor).columns.map { max($0, Self.leastColumns) } }
        isColoured = Self.isColoured(isTerminal: isTerminal, environment)
        isASCII = Self.isASCII(environment)
    }

    /// Narrower than that, words are broken by whatever is so narrow.
    private static let leastColumns = 20

    private static func isColoured(isTerminal: Bool, _ environment: (String) -> String?) -> Bool {
        if environment("NO_COLOR") != nil { return false }
        if let forced = environment("CLICOLOR_FORCE"), forced != "0" { return true }
        guard isTerminal, let type = environment("TERM") else { return false }
        return type != "dumb"
    }

    /// A locale that nobody has named is taken for one of UTF-8, which terminals are.
    private static func isASCII(_ environment: (String) -> String?) -> Bool {
        guard let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first else { return false }
        let name = locale.lowercased()
        return !name.contains("utf-8") && !name.contains("utf8")
    }

    /// What takes the place of the signs that the program's own texts have beside ASCII.
    private static let plainSigns: [Character: String] = [
        "“": "\"", "”": "\"", "‘": "'", "’": "'", "—": "-", "–": "-", "…": "...", "·": "-", "×": "x", "→": "->",
        "\u{FFFD}": "?",
    ]

    /// A text with the signs that can be shown. Letters of other scripts, as labels have, stay.
    func written(_ text: String) -> String {
        guard isASCII, text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        return text.map { Self.plainSigns[$0] ?? String($0) }.joined()
    }

    /// A line in its colours.
    func coloured(_ line: String, _ weight: ScreenLine.Weight) -> String {
        guard isColoured, weight != .plain else { return line }
        return "\u{1B}[\(weight == .alarm ? "1;31" : "1")m\(line)\u{1B}[0m"
    }
}
