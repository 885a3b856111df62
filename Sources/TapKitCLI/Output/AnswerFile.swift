import Glibc
import TapManager

/// A file that an answer goes to, readable by this user only.
enum AnswerFile {
    private static let mode: mode_t = 0o600

    /// Writes the file, and never over one with other content.
    /// - Throws: `Failure`: `.wouldOverwrite`, `.cannotWrite`.
    static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        do { try AtomicFile.writeKeeping(bytes, at: path, mode: mode) } catch {
            guard error.errorNumber == EEXIST else { throw Failure(error) }
            throw Failure(.wouldOverwrite, "\(path) exists.", hint: "Name another file.")
        }
    }
}
