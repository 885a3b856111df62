import Glibc
import ManualPages
import TapManager

/// `tapkit --generate-manual DIR`: the pages as files, for packagers.
enum ManualFolder {
    /// The option; it is not a verb, because only packagers need it.
    static let option = "--generate-manual"

    private static let fileMode: mode_t = 0o644
    private static let folderMode: mode_t = 0o755

    /// Writes every page to the folder that the arguments name.
    /// - Throws: `Failure`: `.usage` without exactly one folder, `.cannotWrite`.
    static func write(_ arguments: [String]) throws(Failure) {
        guard arguments.count == 2, arguments[0] == option else {
            throw Failure(.usage, "\(option) needs exactly one folder.")
        }
        let folder = arguments[1]
        // The folder may exist already; other failures show when the first page is written.
        mkdir(folder, folderMode)
        for page in try ManualPage.all() {
            do {
                try AtomicFile.write(Array(page.text.utf8), to: "\(folder)/\(page.fileName)", mode: fileMode)
            } catch { throw Failure(error) }
        }
    }
}
