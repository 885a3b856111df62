/// One page of the manual.
struct ManualPage {
    /// Without section: `tapkit`, `tapkit-sign`.
    let name: String
    /// For troff, with the macros of man(7).
    let text: String

    /// All commands.
    static let section = 1

    /// The file that `man` looks for.
    var fileName: String { "\(name).\(Self.section)" }

    /// An empty page with its heading and its one line for `apropos`.
    static func begun(_ name: String, abstract: String) -> Roff {
        var page = Roff(title: name, section: section, date: Version.date, source: "tapkit \(Version.text)")
        page.section("NAME")
        page.run("\(name) - \(abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract)")
        return page
    }

    /// The page that belongs to a verb.
    static func name(ofVerb verb: String) -> String { "tapkit-\(verb)" }

    /// `tapkit.1`, and one page for every verb.
    /// - Throws: `Failure.internalError`.
    static func all() throws(Failure) -> [ManualPage] {
        let tapkit = try CommandDescription.tapkit()
        let global = try CommandDescription.globalOptions()
        var pages = [overview(of: tapkit, globalOptions: global)]
        for verb in tapkit.shownSubcommands { pages.append(page(of: verb, globalOptions: global)) }
        return pages
    }
}
