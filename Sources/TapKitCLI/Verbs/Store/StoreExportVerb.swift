import ArgumentParser
import Glibc
import TapManager

/// `tapkit store export`: everything in the local store as JSON.
struct StoreExportVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write everything in the local store into a new JSON file.",
        discussion: """
            Cards, transactions with their PSBTs (Base64), unfinished flows, encrypted backups (hexadecimal), wallets, and \
            labels as BIP-329 has them. Of a damaged store it writes what can be read, and says what cannot.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "The new file, or - for standard output; default: tapkit-store-DATE-TIME.json in this folder.",
            valueName: "file"), completion: .file())
    var output: String?

    func run() async throws {
        try options.requireSense()
        let store = try options.storeFolder().required()
        let time = UnixTime.now()
        let export = StoreExport(store, at: time)
        let path = output ?? "tapkit-store-\(time.fileNameUTC).json"
        let unreadable =
            path == "-" ? try export.write { Console.write($0, to: STDOUT_FILENO) } : try export.write(toNewFile: path)
        guard unreadable.isEmpty else { throw Failure.damaged(store.path, unreadable: unreadable, savedTo: path) }
        guard path != "-" else { return }
        options.console.answer(
            StoreFileAnswer(file: path), ["The local store \(store.path) was written to \(path)."])
    }
}
