/// One page of the manual.
package struct ManualPage {
    /// The section of the manual.
    package enum Section: Int {
        /// Of `tapkit` and its verbs.
        case commands = 1
        /// Of subjects that concern several verbs.
        case handbook = 7

        /// The header of every page in the section.
        fileprivate var title: String { self == .commands ? "User Commands" : "tapkit Handbook" }
    }

    /// The name without its section: `tapkit`, `tapkit-sign`.
    package let name: String
    /// The section, which is part of the file's name.
    package let section: Section
    /// For troff, with the macros of man(7).
    package let text: String

    /// The file that `man` looks for.
    package var fileName: String { "\(name).\(section.rawValue)" }

    /// A page that is finished.
    package init(name: String, section: Section, text: String) {
        (self.name, self.section, self.text) = (name, section, text)
    }

    /// An empty page with its heading and its line for `apropos`.
    package static func begun(
        _ name: String, in section: Section, of edition: ManualEdition, abstract: String
    ) -> Roff {
        var page = Roff(
            title: name, section: section.rawValue, date: edition.date, source: "tapkit \(edition.version)",
            manual: section.title)
        page.optionsWithOptionalValue = edition.optionsWithOptionalValue
        page.section("NAME")
        page.run("\(name) - \(abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract)")
        return page
    }

    /// The page's name for a verb, or for a subject of the handbook.
    package static func name(ofVerb verb: String) -> String { "tapkit-\(verb)" }
}
