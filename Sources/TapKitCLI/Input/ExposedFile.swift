import Glibc
import Synchronization

/// Says so, once for each file, when others on the machine can read a secret that only its owner should.
enum ExposedFile {
    private static let told = Mutex<Set<String>>([])
    private static let readableByOthers = S_IRGRP | S_IROTH

    /// Looks at a file that a secret was read from; standard input, pipes and what the shell makes of `<(…)` are nobody else's.
    /// - Parameter name: what the file is, such as `CVC file`.
    static func warn(about path: String, name: String) {
        var status = stat()
        guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_mode & readableByOthers != 0, told.withLock({ $0.insert(path).inserted })
        else { return }
        let mode = String(status.st_mode & 0o7777, radix: 8)
        let shown = TerminalText.neutralized(path)
        Console(isJSON: false).note(
            "WARNING: others on this machine can read the \(name) \(shown) (mode 0\(mode)): chmod 600 \(shown)")
    }
}
