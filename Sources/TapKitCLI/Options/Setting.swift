/// A value from an option, or else from its environment variable, or else from the configuration file.
struct Setting {
    /// The value.
    let text: String
    /// Where it comes from.
    let source: Source

    /// Where a setting comes from.
    enum Source {
        case option
        case variable(String)
        case configuration(ConfigurationKey)
    }

    /// The option's value, else the variable's; `nil` if neither is set.
    init?(option: String?, variable: String) {
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
    /// - Throws: `Failure.badConfiguration` if the file is read and invalid.
    init?(option: String?, variable: String, key: ConfigurationKey) throws(Failure) {
        if let given = Setting(option: option, variable: variable) {
            self = given
        } else if let value = try ConfigurationFile.read().values[key] {
            self.init(configured: value, key: key)
        } else {
            return nil
        }
    }

    /// A value from the configuration.
    init(configured value: String, key: ConfigurationKey) {
        text = value
        source = .configuration(key)
    }

    /// The failure for an invalid value: of the command line, the environment, or the configuration.
    func invalid(_ message: String, hint: String = "") -> Failure {
        switch source {
        case .option: Failure(.usage, message, hint: hint)
        case .variable(let name): Failure(.badEnvironment, "\(name): \(message)", hint: hint)
        case .configuration(let key): Failure(.badConfiguration, "\(key.rawValue): \(message)", hint: hint)
        }
    }
}
