/// One page of the manual.
struct ManualPage {
    /// The section of the manual.
    enum Section: Int {
        case commands = 1
        case handbook = 7

        /// The header of every page in the section.
        fileprivate var title: String { self == .commands ? "User Commands" : "tapkit Handbook" }
    }

    /// The name without its section: `tapkit`, `tapkit-sign`.
    let name: String
    let section: Section
    /// For troff, with the macros of man(7).
    let text: String

    /// The file that `man` looks for.
    var fileName: String { "\(name).\(section.rawValue)" }

    /// An empty page with its heading and its line for `apropos`.
    static func begun(_ name: String, in section: Section, abstract: String) -> Roff {
        var page = Roff(
            title: name, section: section.rawValue, date: Version.date, source: "tapkit \(Version.text)",
            manual: section.title)
        page.section("NAME")
        page.run("\(name) - \(abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract)")
        return page
    }

    /// The page's name for a verb, or for a subject of the handbook.
    static func name(ofVerb verb: String) -> String { "tapkit-\(verb)" }

    /// `tapkit.1`, one page for every verb, and the handbook.
    /// - Throws: `Failure.internalError`.
    static func all() throws(Failure) -> [ManualPage] {
        let tapkit = try CommandDescription.tapkit()
        let global = try CommandDescription.globalOptions()
        var pages = [overview(of: tapkit, globalOptions: global)]
        for verb in tapkit.shownSubcommands { pages.append(page(of: verb, globalOptions: global)) }
        return pages + HandbookPage.all.map(page(of:))
    }
}
