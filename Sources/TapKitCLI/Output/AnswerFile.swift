import Glibc
import TapManager

/// An output file for an answer, readable by this user only.
enum AnswerFile {
    private static let mode: mode_t = 0o600

    /// Confirms that the file can be written, before a card does anything for it. A device, a pipe and standard output
    /// have nothing to overwrite.
    /// - Throws: as `write`.
    static func require(_ path: String, overwriting: Bool) throws(Failure) {
        guard overwriting || AtomicFile.length(of: path) == nil else { throw Failure(OverwritingError.exists(path)) }
        do { try AtomicFile.checkWritable(path) } catch { throw Failure(error) }
    }

    /// Writes the file; replaces one with other content only if that was requested.
    /// - Throws: `Failure`: `.wouldOverwrite`, `.cannotWrite`.
    static func write(_ bytes: [UInt8], to path: String, overwriting: Bool = false) throws(Failure) {
        do {
            if overwriting {
                try AtomicFile.write(bytes, to: path, mode: mode)
            } else {
                try AtomicFile.writeKeeping(bytes, at: path, mode: mode)
            }
        } catch {
            guard error.errorNumber == EEXIST else { throw Failure(error) }
            throw Failure(OverwritingError.exists(path))
        }
    }
}
