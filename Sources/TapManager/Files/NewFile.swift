import Glibc

/// A file that is created under a temporary name and gets its own once it is complete, never replacing an existing one.
/// If that fails, nothing is left.
package final class NewFile {
    /// The final name.
    package let path: String
    /// The temporary name, in the same folder.
    let temporaryPath: String
    private let descriptor: Int32
    private var isPlaced = false

    /// Creates the empty file, accessible only to this user.
    /// - Throws: `WritingError`, with `EEXIST` if the name exists already.
    package init(at path: String) throws(WritingError) {
        self.path = path
        var information = stat()
        guard lstat(path, &information) != 0 else { throw WritingError(path: path, errorNumber: EEXIST) }
        var template = Array((path + ".XXXXXX").utf8CString)
        descriptor = AtomicFile.created(&template)
        guard descriptor >= 0 else { throw WritingError(path: path, errorNumber: errno) }
        fchmod(descriptor, 0o600)
        temporaryPath = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        close(descriptor)
        if !isPlaced { unlink(temporaryPath) }
    }

    /// Appends bytes.
    package func append(_ bytes: [UInt8]) throws(WritingError) {
        try AtomicFile.writeAll(bytes, to: descriptor, path)
    }

    /// Syncs the file and gives it its name.
    /// - Throws: `WritingError`, with `EEXIST` if the name exists by now.
    package func place() throws(WritingError) {
        try check(fsync(descriptor) == 0)
        if link(temporaryPath, path) == 0 {
            unlink(temporaryPath)
        } else {
            // File systems of cameras and USB sticks do not support hard links.
            try check(errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS)
            try check(access(path, F_OK) != 0, EEXIST)
            try check(rename(temporaryPath, path) == 0)
        }
        isPlaced = true
        AtomicFile.syncFolder(of: path)
    }

    private func check(_ succeeded: Bool, _ errorNumber: Int32? = nil) throws(WritingError) {
        guard succeeded else { throw WritingError(path: path, errorNumber: errorNumber ?? errno) }
    }
}
