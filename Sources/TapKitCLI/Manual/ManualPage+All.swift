import ManualPages

extension ManualPage {
    /// `tapkit.1`, one page for every verb, and the handbook.
    /// - Throws: `Failure.internalError`.
    static func all() throws(Failure) -> [ManualPage] {
        let tapkit = try CommandDescription.tapkit()
        let global = try CommandDescription.globalOptions()
        var pages = [overview(of: tapkit, globalOptions: global)]
        for verb in tapkit.shownSubcommands {
            let subjects = HandbookPage.all.filter { $0.verbs.contains(verb.commandName) }
            pages.append(
                page(
                    of: verb, in: .current, globalOptions: global, examples: CommandExample.texts(of: verb.commandName),
                    subjects: subjects.map(reference(to:))))
        }
        return pages + HandbookPage.all.map(page(of:))
    }
}

extension ManualEdition {
    /// The manual of this version.
    static var current: ManualEdition {
        ManualEdition(
            version: Version.text, date: Version.date,
            optionsWithOptionalValue: CommandLineText.optionsWithOptionalValue)
    }
}
