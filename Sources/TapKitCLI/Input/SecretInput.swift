import Bitcoin
import Glibc
import TapProtocol
import Terminal

/// Where a CVC or a backup key comes from: the first line of a file or of standard input, or a prompt. Never an
/// argument.
enum SecretInput {
    /// Whether a named file is standard input, and that is a terminal. Then the user is asked as if none were named: with
    /// a prompt, and without echo.
    static func isTyped(_ path: String) -> Bool { InputFile.isStandardInput(path) && isatty(STDIN_FILENO) == 1 }

    /// The CVC on the first line of a file; spaces around it do not count.
    static func cvc(in file: SecretFile) throws(Failure) -> CVC {
        var line = try file.firstLine()
        defer { line.wipe() }
        let end = line.lastIndex { !blanks.contains($0) }.map { $0 + 1 } ?? 0
        let digits = SecretBytes(line[..<end].drop { blanks.contains($0) })
        let cvc: CVC
        do throws(TapError) { cvc = try CVC(digits) } catch { throw file.failure(error) }
        ExposedFile.warn(about: file.path, name: "CVC file")
        return cvc
    }

    private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0D]

    /// Converts what was typed to a CVC.
    /// - Throws: `Failure.badCVC`.
    static func cvc(_ digits: SecretBytes) throws(Failure) -> CVC {
        do throws(TapError) { return try CVC(digits) } catch { throw Failure(error) }
    }

    /// The backup key on the first line of a file.
    static func backupKey(in file: SecretFile) throws(Failure) -> Backup.Key {
        var line = try file.firstLine()
        defer { line.wipe() }
        let key: Backup.Key
        do throws(TapError) { key = try Backup.Key(typed: line) } catch { throw file.failure(error) }
        ExposedFile.warn(about: file.path, name: "key file")
        return key
    }
}
