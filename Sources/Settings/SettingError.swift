import ExplainedErrors

/// Why a setting cannot be used: an invalid value, or a configuration file or folder that is not as it must be.
package struct SettingError: ExplainedError, Equatable {
    /// What helps, where only a front end has the words: which of its commands or options.
    package enum Advice: Sendable {
        /// Naming one of the readers that there can be (`ReaderSpec.forms`).
        case readers
        /// Correcting the configuration file, or moving it away, so that a new one is made.
        case file
        /// Setting `HOME`, or naming the folder of the local store.
        case storeFolder
    }

    /// `usage` for an option, `bad_environment` for a variable, `bad_configuration` for what is saved.
    package let code: ErrorCode
    /// What is wrong, after the variable, the key or the file that it is in.
    package private(set) var message: String
    /// The values that are allowed; empty if the front end knows better, or nobody knows.
    package let remedy: String
    /// `nil`: the remedy says it all.
    package let advice: Advice?
    /// The key whose saved value is invalid, so that it must be removed or set anew; `nil`: nothing that is saved.
    package private(set) var savedKey: ConfigurationKey?
    /// The unknown key that is saved, so that it must be removed; `nil`: there is none.
    package private(set) var unknownKey: String?
    /// The key that is saved more than once, so that every value of it must be removed; `nil`: there is none.
    package private(set) var repeatedKey: String?

    init(_ code: ErrorCode, _ message: String, remedy: String = "", advice: Advice? = nil) {
        (self.code, self.message, self.remedy, self.advice) = (code, message, remedy, advice)
    }

    /// The same error of an unknown key.
    func saved(unknown key: String) -> SettingError {
        var error = self
        error.unknownKey = key
        return error
    }

    /// The same error of a key that is saved more than once.
    func saved(repeated key: String) -> SettingError {
        var error = self
        error.repeatedKey = key
        return error
    }

    /// The same error of a value that is saved in a file.
    func saved(_ key: ConfigurationKey, in path: String) -> SettingError {
        var error = self
        error.message = "\(path): \(message)"
        error.savedKey = key
        return error
    }
}
