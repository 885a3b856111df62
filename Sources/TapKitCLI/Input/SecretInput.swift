import Bitcoin
import Glibc
import TapProtocol

/// Where a CVC or a backup's key comes from: the first line of a file or of standard input, or a prompt without echo.
/// Never an argument.
enum SecretInput {
    /// What is asked for.
    private struct Wanted {
        /// As people are told of it.
        let name: String
        /// What is said when there is nobody to ask.
        let absence: ErrorCode

        static let cvc = Wanted(name: "CVC", absence: .cvcNeeded)
        static let backupKey = Wanted(name: "backup key", absence: .keyNeeded)
    }

    /// The CVC in the first line of a file (`-`: standard input).
    static func cvc(fromFile path: String) throws(Failure) -> CVC {
        var line = try firstLine(of: path, for: .cvc)
        defer { line.wipe() }
        return try cvc(line)
    }

    /// Asks for a CVC on the controlling terminal, without echo.
    /// - Throws: `Failure.cvcNeeded` without a terminal, `.interrupted` on Ctrl-C, `.badCVC`.
    static func cvc(prompt: String, option: String) throws(Failure) -> CVC {
        var line = try ask(prompt, for: .cvc, option: option)
        defer { line.wipe() }
        return try cvc(line)
    }

    /// Asks for a new CVC twice and confirms that both are the same.
    static func newCVC(prompt: String, option: String) throws(Failure) -> CVC {
        var first = try ask(prompt, for: .cvc, option: option)
        defer { first.wipe() }
        let cvc = try cvc(first)
        var second = try ask("Once more: ", for: .cvc, option: option)
        defer { second.wipe() }
        guard first == second else {
            throw Failure(.badCVC, "The two new CVCs differ.", hint: "Nothing was changed. Run the command again.")
        }
        return cvc
    }

    /// The key of a backup in the first line of a file (`-`: standard input).
    static func backupKey(fromFile path: String) throws(Failure) -> Backup.Key {
        var line = try firstLine(of: path, for: .backupKey)
        defer { line.wipe() }
        return try backupKey(line)
    }

    /// Asks for the key of a backup on the controlling terminal, without echo.
    /// - Throws: `Failure.keyNeeded` without a terminal, `.interrupted` on Ctrl-C, `.badBackupKey`.
    static func backupKey(prompt: String, option: String) throws(Failure) -> Backup.Key {
        var line = try ask(prompt, for: .backupKey, option: option)
        defer { line.wipe() }
        return try backupKey(line)
    }

    private static func backupKey(_ line: [UInt8]) throws(Failure) -> Backup.Key {
        do throws(TapError) { return try Backup.Key(typed: line) } catch { throw Failure(error) }
    }

    private static func cvc(_ digits: [UInt8]) throws(Failure) -> CVC {
        do throws(TapError) { return try CVC(SecretBytes(digits)) } catch { throw Failure(error) }
    }

    private static func firstLine(of path: String, for wanted: Wanted) throws(Failure) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code: ErrorCode = errno == ENOENT ? .noInputFile : .inputUnreadable
            throw Failure(code, "\(wanted.name) file \(path): \(String(cString: strerror(errno)))")
        }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        if descriptor == STDIN_FILENO { try TerminalLine.waitForInput(descriptor) }
        return try TerminalLine.bytes(from: descriptor)
    }

    private static func ask(
        _ prompt: String, for wanted: Wanted, option: String
    ) throws(Failure) -> [UInt8] {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else {
            throw Failure(
                wanted.absence, "A \(wanted.name) is needed and there is no terminal to ask for it.",
                hint: "Give it in the first line of a file: \(option) PATH, or `-` for standard input.")
        }
        defer { close(terminal) }
        return try TerminalEcho.withoutEcho(on: terminal) { () throws(Failure) -> [UInt8] in
            Console.write(prompt, to: terminal)
            try TerminalLine.waitForInput(terminal)
            return try TerminalLine.bytes(from: terminal)
        }
    }
}
