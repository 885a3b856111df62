import Glibc

/// The environment, read where an option was not given.
package enum EnvironmentVariable {
    /// The variable's value; `nil` when unset or empty.
    package static func value(_ name: String) -> String? {
        guard let pointer = getenv(name) else { return nil }
        let value = String(cString: pointer)
        return value.isEmpty ? nil : value
    }
}
