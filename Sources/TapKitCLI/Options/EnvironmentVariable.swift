import Glibc

/// The environment, read where an option was not given.
enum EnvironmentVariable {
    /// The variable's value; `nil` when unset or empty.
    static func value(_ name: String) -> String? {
        guard let pointer = getenv(name) else { return nil }
        let value = String(cString: pointer)
        return value.isEmpty ? nil : value
    }

    /// tapkit's folder in the base folder that a variable names, or else in the default one in the home folder; `nil`
    /// without either.
    ///
    /// Spec: XDG Base Directory Specification, "Environment variables": relative paths must be ignored.
    static func ownFolder(in variable: String, usually usual: String) -> String? {
        let home = absolutePath("HOME").map { "\($0)/\(usual)" }
        return (absolutePath(variable) ?? home).map { $0 + "/tapkit" }
    }

    private static func absolutePath(_ name: String) -> String? {
        value(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
