import Bitcoin
import ExplainedErrors
import Glibc
import TapProtocol

/// Where a CVC or a backup key comes from: the first line of a file or of standard input, or a prompt. Never an
/// argument.
enum SecretInput {
    /// The CVC on the first line of a file (`-`: standard input).
    static func cvc(fromFile path: String) throws(Failure) -> CVC {
        var line = try firstLine(of: path, for: .cvc)
        let cvc = try cvc(SecretBytes(moving: &line))
        ExposedFile.warn(about: path, name: "CVC file")
        return cvc
    }

    /// Converts what was typed to a CVC.
    /// - Throws: `Failure.badCVC`.
    static func cvc(_ digits: SecretBytes) throws(Failure) -> CVC {
        do throws(TapError) { return try CVC(digits) } catch { throw Failure(error) }
    }

    /// The backup key on the first line of a file (`-`: standard input).
    static func backupKey(fromFile path: String) throws(Failure) -> Backup.Key {
        var line = try firstLine(of: path, for: .backupKey)
        defer { line.wipe() }
        let key = try backupKey(line)
        ExposedFile.warn(about: path, name: "key file")
        return key
    }

    /// Asks for a backup key.
    /// - Throws: what `SecretQuestion.ask` throws; `Failure.badBackupKey`.
    static func backupKey() throws(Failure) -> Backup.Key {
        let typed = try SecretQuestion(
            subject: .backupKey, line: "Backup key (32 digits and letters printed on the card): ",
            description: "The backup key: 32 digits and letters, printed on the card that made the backup.",
            prompt: "Backup key:"
        ).ask()
        var line = typed.withBytes { Array($0) }
        defer { line.wipe() }
        return try backupKey(line)
    }

    private static func backupKey(_ line: [UInt8]) throws(Failure) -> Backup.Key {
        do throws(TapError) { return try Backup.Key(typed: line) } catch { throw Failure(error) }
    }

    private static func firstLine(of path: String, for subject: SecretQuestion.Subject) throws(Failure) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code: ErrorCode = errno == ENOENT ? .noInputFile : .inputUnreadable
            throw Failure(code, "\(subject.name) file \(path): \(String(cString: strerror(errno)))")
        }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        if descriptor == STDIN_FILENO { try TerminalLine.waitForInput(descriptor) }
        return try TerminalLine.bytes(from: descriptor)
    }
}
