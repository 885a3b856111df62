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
        let manager = try Invocation(options, to: .tending).manager
        let path = output ?? "tapkit-store-\(manager.now.fileNameUTC).json"
        let (store, unreadable) =
            path == "-"
            ? try manager.exportStore { Console.write($0, to: STDOUT_FILENO) }
            : try manager.exportStore(toNewFile: path)
        guard unreadable.isEmpty else { throw Failure.damaged(store, unreadable: unreadable, savedTo: path) }
        guard path != "-" else { return }
        options.console.answer(
            StoreFileAnswer(file: path), ["The local store \(store) was written to \(path)."])
    }
}
