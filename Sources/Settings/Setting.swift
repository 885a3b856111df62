import ExplainedErrors
import Terminal

/// A value from an option, or else from its environment variable, or else from the configuration file.
package struct Setting {
    /// The value.
    package let text: String
    /// Where it comes from.
    package let source: Source

    /// Where a setting comes from.
    package enum Source {
        /// An option of the command line.
        case option
        /// The environment variable of this name.
        case variable(String)
        /// The configuration file.
        case configuration(ConfigurationKey)
    }

    /// The option's value, else the variable's; `nil` if neither is set.
    package init?(option: String?, variable: String) {
        if let option {
            text = option
            source = .option
        } else if let value = EnvironmentVariable.value(variable) {
            text = value
            source = .variable(variable)
        } else {
            return nil
        }
    }

    /// The option's value, else the variable's, else the configuration's; `nil` if none is set.
    /// - Throws: `SettingError.badConfiguration` if the file is read and invalid.
    package init?(option: String?, variable: String, key: ConfigurationKey) throws(SettingError) {
        if let given = Setting(option: option, variable: variable) {
            self = given
        } else if let value = try ConfigurationFile.read().values[key] {
            self.init(configured: value, key: key)
        } else {
            return nil
        }
    }

    /// A value from the configuration.
    package init(configured value: String, key: ConfigurationKey) {
        text = value
        source = .configuration(key)
    }

    /// The error for an invalid value: of the command line, the environment, or the configuration.
    package func invalid(_ message: String, remedy: String = "", advice: SettingError.Advice? = nil) -> SettingError {
        let (code, message): (ErrorCode, String) =
            switch source {
            case .option: (.usage, message)
            case .variable(let name): (.badEnvironment, "\(name): \(message)")
            case .configuration(let key): (.badConfiguration, "\(key.rawValue): \(message)")
            }
        return SettingError(code, message, remedy: remedy, advice: advice)
    }
}
