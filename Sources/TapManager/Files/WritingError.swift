import Glibc

/// Why a file could not be written; the old content is untouched.
public struct WritingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file that was to be written.
    public let path: String
    /// The system's error number.
    public let errorNumber: Int32

    /// An error from its parts.
    public init(path: String, errorNumber: Int32) {
        self.path = path
        self.errorNumber = errorNumber
    }

    /// The system's words.
    public var description: String { "\(path): \(String(cString: strerror(errorNumber)))" }
}
