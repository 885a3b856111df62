import ArgumentParser
import TapManager

/// `tapkit store backup`: a copy of the local store.
struct StoreBackupVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the local store into a new file.",
        discussion: """
            The copy is synced to disk and checked. To use it, put it into a folder of your own as store.sqlite, and \
            name that folder with --data-dir. It holds no private key and no CVC, but reveals which coins are yours.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "The new file; default: tapkit-store-DATE-TIME.sqlite in this folder.", valueName: "file"),
        completion: .file())
    var output: String?

    func run() async throws {
        try options.requireSense()
        guard output != "-" else {
            throw Failure(
                .usage, "The copy is a database, which cannot be written to standard output.",
                hint: "Name a file, or use tapkit store export -o -.")
        }
        let manager = try Invocation(options, to: .tending).manager
        let path = output ?? "tapkit-store-\(manager.now.fileNameUTC).sqlite"
        let store = try manager.backUpStore(to: path)
        options.console.answer(
            StoreFileAnswer(file: path), ["The local store \(store) was copied to \(path) and checked."])
    }
}

/// The answer of `store backup` and `store export`.
struct StoreFileAnswer: Encodable {
    private let ok = true
    let file: String

    init(file: String) { self.file = file }
}
