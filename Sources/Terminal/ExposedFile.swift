import Glibc
import Synchronization
import TextLayout

/// Warns, once for each file, if others on the machine can read a secret that only its owner should be able to read.
package enum ExposedFile {
    private static let told = Mutex<Set<String>>([])
    private static let readableByOthers = S_IRGRP | S_IROTH

    /// Checks a file that a secret was read from. Standard input, pipes and the shell's `<(…)` are not readable by
    /// others.
    /// - Parameter name: what the file is, for example `CVC file`.
    package static func warn(about path: String, name: String) {
        var status = stat()
        guard !InputFile.isStandardInput(path), stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_mode & readableByOthers != 0, told.withLock({ $0.insert(path).inserted })
        else { return }
        let mode = String(status.st_mode & 0o7777, radix: 8)
        let shown = TerminalText.neutralized(path)
        Console(isJSON: false).note(
            "WARNING: Others on this machine can read the \(name) \(shown) (mode 0\(mode)): chmod 600 \(shown)")
    }
}
