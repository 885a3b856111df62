import Glibc

/// A file's new content, whole and synced under a temporary name in the same folder, until it gets the file's name. If
/// that never happens, nothing is left.
final class StagedFile {
    private let path: String
    private let temporaryPath: String
    /// Whether the temporary name has the new content.
    private var isStaged = true
    /// What has the old content while the new one can still be taken back; `nil`: there was none.
    private var oldPath: String?

    /// Writes the content.
    /// - Parameter mode: the file's permissions, whatever the umask.
    /// - Throws: `WritingError` if the folder does not exist or is not writable, the disk is full, ….
    init(_ bytes: [UInt8], for path: String, mode: mode_t) throws(WritingError) {
        var template = Array((path + ".XXXXXX").utf8CString)
        let descriptor = AtomicFile.created(&template)
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
        if isStaged { unlink(temporaryPath) }
    }

    /// Gives the content the file's name, in place of what has it. The name is durable only when the folder was synced.
    /// - Throws: `WritingError`.
    func place() throws(WritingError) {
        try AtomicFile.check(rename(temporaryPath, path) == 0, path)
        isStaged = false
    }
}

extension StagedFile {
    /// Gives files of one folder their names, in order, and removes what had the names; if one cannot get its name,
    /// those before it get back what they had. If the machine loses power meanwhile, some have the new content and some
    /// the old one, and what the others should have is there under temporary names.
    /// - Throws: `WritingError`; also for a name that something else than a file has.
    static func placeTogether(
        _ files: [StagedFile], in folder: String, by exchange: NameExchange
    ) throws(WritingError) {
        // With their temporary names durable, it shows after a loss of power that files are missing.
        AtomicFile.sync(folder: folder)
        var placed: [StagedFile] = []
        do throws(WritingError) {
            for file in files {
                try file.placeKeepingOld(by: exchange)
                placed.append(file)
            }
        } catch {
            for file in placed.reversed() { file.takeBack(by: exchange) }
            AtomicFile.sync(folder: folder)
            throw error
        }
        AtomicFile.sync(folder: folder)
        for file in placed { file.removeOld() }
    }

    /// Whether a name is a temporary one of a file that was to have another name.
    static func isTemporary(_ name: String, of other: String) -> Bool {
        guard name.hasPrefix(other + ".") else { return false }
        let ending = name.dropFirst(other.count + 1)
        return ending.utf8.count == 6 && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    private func placeKeepingOld(by exchange: NameExchange) throws(WritingError) {
        var information = stat()
        guard lstat(path, &information) == 0 else { return try place() }
        guard information.st_mode & S_IFMT == S_IFREG else { throw WritingError(path: path, errorNumber: EPERM) }
        if exchange.perform(temporaryPath, path) == 0 {
            oldPath = temporaryPath
        } else {
            let errorNumber = errno
            guard NameExchange.unsupported.contains(errorNumber) else {
                throw WritingError(path: path, errorNumber: errorNumber)
            }
            // Not the temporary name's form: nobody takes the old content for the new one.
            let aside = temporaryPath + ".old"
            try AtomicFile.check(rename(path, aside) == 0, path)
            guard rename(temporaryPath, path) == 0 else {
                let errorNumber = errno
                rename(aside, path)
                throw WritingError(path: path, errorNumber: errorNumber)
            }
            oldPath = aside
        }
        isStaged = false
    }

    /// Gives the name back to the old content, or to nothing. If that fails, both contents stay.
    private func takeBack(by exchange: NameExchange) {
        if oldPath == temporaryPath {
            isStaged = exchange.perform(temporaryPath, path) == 0
        } else {
            guard rename(path, temporaryPath) == 0 else { return }
            isStaged = oldPath.map { rename($0, path) == 0 } ?? true
        }
    }

    private func removeOld() {
        if let oldPath { unlink(oldPath) }
    }
}
