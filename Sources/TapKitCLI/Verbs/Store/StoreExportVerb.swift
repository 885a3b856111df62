import ArgumentParser
import Glibc
import TapManager
import Terminal

/// `tapkit store export`: everything in the local store as JSON.
struct StoreExportVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export everything in the local store to a new JSON file.",
        discussion: """
            Cards, transactions with their PSBTs (Base64), interrupted tasks, encrypted backups (hexadecimal), wallets, \
            and labels in the format of BIP-329. From a damaged store, it exports what can be read, and lists what \
            cannot.
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
        guard unreadable.isEmpty else {
            let place = path == "-" ? "standard output" : path
            throw Failure.damaged(store, unreadable: unreadable, savedTo: place)
        }
        guard path != "-" else { return }
        options.console.answer(
            StoreFileAnswer(file: path), ["The local store \(store) was exported to \(path)."])
    }
}
