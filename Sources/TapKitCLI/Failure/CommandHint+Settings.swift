import Settings
import TextLayout

/// What the terminal adds to an error of a setting.
extension CommandHint {
    /// The hint for an error: what helps with such a value or file, and the way to be rid of one that is saved.
    static func hint(_ error: SettingError) -> String {
        let remedy =
            switch error.advice {
            case .readers: "Use one of \(ReaderSpec.formsText) (tapkit help readers)."
            case .file: "Correct the file, or move it away: tapkit config set creates a new one."
            case .storeFolder: "Set HOME, or name a folder with --data-dir."
            case nil: error.remedy
            }
        let single = (error.savedKey?.rawValue ?? error.unknownKey).map { "Remove it with \(unsetting($0))." }
        let removal = single ?? error.repeatedKey.map { "Remove all its values with \(unsetting($0))." }
        return [remedy, removal ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The command that removes a saved key.
    private static func unsetting(_ key: String) -> String {
        "tapkit config unset \(key.hasPrefix("-") ? "-- " : "")\(ShellWord.quoted(key))"
    }
}
