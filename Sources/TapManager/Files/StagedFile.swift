import Glibc

/// A file's new content, whole and synced under a temporary name in the same folder, until it gets the file's name. If
/// that never happens, nothing is left.
final class StagedFile {
    private let path: String
    private let temporaryPath: String
    private var isPlaced = false

    /// Writes the content.
    /// - Parameter mode: the file's permissions, whatever the umask.
    /// - Throws: `WritingError` if the folder does not exist or is not writable, the disk is full, ….
    init(_ bytes: [UInt8], for path: String, mode: mode_t) throws(WritingError) {
        var template = Array((path + ".XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw WritingError(path: path, errorNumber: errno) }
        let temporaryPath = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do throws(WritingError) {
            defer { close(descriptor) }
            try AtomicFile.check(fchmod(descriptor, mode) == 0, path)
            try AtomicFile.writeAll(bytes, to: descriptor, path)
            try AtomicFile.check(fsync(descriptor) == 0, path)
        } catch {
            unlink(temporaryPath)
            throw error
        }
        self.path = path
        self.temporaryPath = temporaryPath
    }

    deinit {
        if !isPlaced { unlink(temporaryPath) }
    }

    /// Gives the content the file's name, in place of what has it. The name is durable only when the folder was synced.
    /// - Throws: `WritingError`.
    func place() throws(WritingError) {
        try AtomicFile.check(rename(temporaryPath, path) == 0, path)
        isPlaced = true
    }
}
