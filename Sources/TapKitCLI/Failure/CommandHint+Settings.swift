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
        let key =
            error.savedKey?.rawValue ?? error.unknownKey.map { ($0.hasPrefix("-") ? "-- " : "") + ShellWord.quoted($0) }
        let removal = key.map { "Remove it with tapkit config unset \($0)." }
        return [remedy, removal ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
