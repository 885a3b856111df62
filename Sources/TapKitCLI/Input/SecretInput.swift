import Bitcoin
import Glibc
import TapProtocol

/// Where a CVC comes from: the first line of a file or of standard input, or a prompt without echo. Never an argument.
enum SecretInput {
    /// The CVC in the first line of a file (`-`: standard input).
    static func cvc(fromFile path: String) throws(Failure) -> CVC {
        var line = try firstLine(of: path)
        defer { line.wipe() }
        return try cvc(line)
    }

    /// Asks for a CVC on the controlling terminal, without echo.
    /// - Throws: `Failure.cvcNeeded` without a terminal, `.interrupted` on Ctrl-C, `.badCVC`.
    static func cvc(prompt: String, option: String) throws(Failure) -> CVC {
        var line = try ask(prompt, option: option)
        defer { line.wipe() }
        return try cvc(line)
    }

    /// Asks for a new CVC twice and confirms that both are the same.
    static func newCVC(prompt: String, option: String) throws(Failure) -> CVC {
        var first = try ask(prompt, option: option)
        defer { first.wipe() }
        let cvc = try cvc(first)
        var second = try ask("Once more: ", option: option)
        defer { second.wipe() }
        guard first == second else {
            throw Failure(.badCVC, "The two new CVCs differ.", hint: "Nothing was changed. Run the command again.")
        }
        return cvc
    }

    private static func cvc(_ digits: [UInt8]) throws(Failure) -> CVC {
        do throws(TapError) { return try CVC(SecretBytes(digits)) } catch { throw Failure(error) }
    }

    private static func firstLine(of path: String) throws(Failure) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code: ErrorCode = errno == ENOENT ? .noInputFile : .inputUnreadable
            throw Failure(code, "CVC file \(path): \(String(cString: strerror(errno)))")
        }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        if descriptor == STDIN_FILENO { try TerminalLine.waitForInput(descriptor) }
        return try TerminalLine.bytes(from: descriptor)
    }

    private static func ask(_ prompt: String, option: String) throws(Failure) -> [UInt8] {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else {
            throw Failure(
                .cvcNeeded, "A CVC is needed and there is no terminal to ask for it.",
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
