import Glibc

/// Why a file could not be written; the old content is untouched.
package struct WritingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file that was to be written.
    package let path: String
    /// The system's error number.
    package let errorNumber: Int32

    /// An error from its parts.
    package init(path: String, errorNumber: Int32) {
        self.path = path
        self.errorNumber = errorNumber
    }

    /// The path and the system's error text.
    package var description: String { "\(path): \(String(cString: strerror(errorNumber)))" }
}
