import Terminal

extension EnvironmentVariable {
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
