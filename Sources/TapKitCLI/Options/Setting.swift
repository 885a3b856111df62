/// A value from an option or, where that was not given, from its environment variable.
struct Setting {
    /// What was given.
    let text: String
    private let variable: String?

    /// The option's value, else the variable's; `nil` when neither is set.
    init?(option: String?, variable: String) {
        if let option {
            text = option
            self.variable = nil
        } else if let value = EnvironmentVariable.value(variable) {
            text = value
            self.variable = variable
        } else {
            return nil
        }
    }

    /// What to say of a value that makes no sense: a fault of the command line, or of the environment.
    func invalid(_ message: String, hint: String = "") -> Failure {
        guard let variable else { return Failure(.usage, message, hint: hint) }
        return Failure(.badEnvironment, "\(variable): \(message)", hint: hint)
    }
}
