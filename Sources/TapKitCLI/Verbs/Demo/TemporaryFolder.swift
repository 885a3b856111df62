import FoundationEssentials
import Glibc
import TapManager
import Terminal

/// A temporary folder, readable by this user only.
struct TemporaryFolder {
    /// The folder's path.
    let path: String

    /// Creates the folder in `$TMPDIR`, or `/tmp`.
    init() throws(Failure) {
        let parent = EnvironmentVariable.value("TMPDIR") ?? "/tmp"
        var template = Array("\(parent)/tapkit.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            let error = WritingError(path: parent, errorNumber: errno)
            throw Failure(error.code, "No temporary folder can be made: \(error).")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A file's path in the folder.
    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Removes the folder and everything in it.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
