import Bitcoin
import Glibc

/// Reads the input that the user names: a file, or `-` for standard input.
package enum InputFile {
    /// The names of standard input: `-`, and those that the system gives it.
    private static let standardInputNames: Set = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]
    /// Where the system names the descriptors that are open in this process.
    private static let descriptorFolders = ["/dev/fd/", "/proc/self/fd/"]

    /// Whether a path is a name of standard input.
    package static func isStandardInput(_ path: String) -> Bool { standardInputNames.contains(path) }

    /// Whether a path names a descriptor that is open already: standard input, or what the shell's `<(…)` passes on. No
    /// file can be created beside it.
    package static func isDescriptor(_ path: String) -> Bool {
        isStandardInput(path) || descriptorFolders.contains(where: path.hasPrefix)
    }

    /// All bytes of a file or of standard input.
    /// - Parameters:
    ///   - limit: the maximum number of bytes; larger input is refused.
    ///   - isSecret: whether a terminal is refused, because it would show what is typed.
    /// - Throws: `InputError`: `.noInputFile`, `.inputUnreadable`, `.inputTooLarge`, `.interrupted`; `.usage` for a
    ///   terminal.
    package static func bytes(of path: String, limit: Int, isSecret: Bool = false) throws(InputError) -> [UInt8] {
        let isStandardInput = Self.isStandardInput(path)
        let descriptor = isStandardInput ? STDIN_FILENO : opened(path)
        let name = isStandardInput ? "standard input" : path
        guard descriptor >= 0 else { throw .unreadable(file: name) }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        guard !isSecret || isatty(descriptor) != 1 else { throw .terminal(file: name) }
        var information = stat()
        let isRegular = fstat(descriptor, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
        guard !isRegular || information.st_size <= limit else { throw tooLarge(name, limit) }
        var content: [UInt8] = []
        content.reserveCapacity(min(limit, max(65_536, Int(information.st_size))))
        var chunk = [UInt8](repeating: 0, count: 65_536)
        defer { chunk.wipe() }
        while true {
            if descriptor == STDIN_FILENO || !isRegular { try TerminalLine.waitForInput(descriptor) }
            let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard count >= 0 else { throw .unreadable(file: name) }
            if count == 0 { return content }
            guard content.count + count <= limit else { throw tooLarge(name, limit) }
            content += chunk[..<count]
        }
    }

    /// Opens a file for reading, without waiting for someone to write to it if it is a FIFO: `TerminalLine.waitForInput`
    /// does that, so that Ctrl-C ends it.
    /// - Returns: the descriptor; negative if that fails, with the reason in `errno`.
    package static func opened(_ path: String) -> Int32 { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }

    private static func tooLarge(_ name: String, _ limit: Int) -> InputError {
        .tooLarge("\(name) is larger than \(limit) bytes, the most that is read.")
    }
}
