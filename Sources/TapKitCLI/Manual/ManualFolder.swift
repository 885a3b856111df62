import Glibc
import TapManager

/// `tapkit --generate-manual DIR`: the pages as files, for whoever installs tapkit.
enum ManualFolder {
    /// The option, which is no verb: people read the pages, packagers write them.
    static let option = "--generate-manual"

    private static let fileMode: mode_t = 0o644
    private static let folderMode: mode_t = 0o755

    /// Writes every page below the folder that the arguments name.
    /// - Throws: `Failure`: `.usage` without exactly one folder, `.cannotWrite`.
    static func write(_ arguments: [String]) throws(Failure) {
        guard arguments.count == 2, arguments[0] == option else {
            throw Failure(.usage, "\(option) takes one folder.")
        }
        let folder = arguments[1]
        // A folder that is there is fine; what else goes wrong shows when the first page is written.
        mkdir(folder, folderMode)
        for page in try ManualPage.all() {
            do {
                try AtomicFile.write(Array(page.text.utf8), to: "\(folder)/\(page.fileName)", mode: fileMode)
            } catch { throw Failure(error) }
        }
    }
}
