/// What all pages of one version's manual share.
package struct ManualEdition {
    /// The version of tapkit, such as `0.1.0`.
    let version: String
    /// The version's date, `YYYY-MM-DD`.
    let date: String
    /// Long names of options whose value may be left out, such as `--wait`.
    let optionsWithOptionalValue: Set<String>

    /// The edition of a version.
    /// - Parameters:
    ///   - date: `YYYY-MM-DD`.
    ///   - optionsWithOptionalValue: with their dashes; the descriptions of commands do not tell.
    package init(version: String, date: String, optionsWithOptionalValue: Set<String>) {
        (self.version, self.date) = (version, date)
        self.optionsWithOptionalValue = optionsWithOptionalValue
    }
}
