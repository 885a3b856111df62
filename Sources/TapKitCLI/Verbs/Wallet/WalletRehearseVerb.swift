import AnswerDocuments
import ArgumentParser
import TapManager
import TapProtocol
import Terminal
import TextLayout

/// `tapkit wallet rehearse`: proves that a kit and backups alone can spend.
struct WalletRehearseVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rehearse", abstract: "Prove that a kit and backups alone can spend, by each spending path.",
        discussion: """
            Opens the kit and the backups, and spends made-up coins at several of the wallet's addresses by every \
            spending path for which there are enough keys. This happens on a chain that exists only during the \
            rehearsal. Each path must work once its lock has passed, and must fail one step earlier. The signatures \
            are useless to anybody, because their coins do not exist.

            With the wallet's name, the kit must be one that this store wrote for it, and the store remembers when \
            each spending path was last proven; without a name, nothing is compared, as for heirs. Each backup's \
            key is asked for, or read from a --key-file: the first one is for the first --backup, and so on.

            The backups are decrypted on this machine. Rehearse on one that you trust.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The wallet's name; without it, the kit is compared with no stored wallet.", completion: .wallets)
    var name: String?

    @Option(help: ArgumentHelp("The folder with the kit.", valueName: "folder"), completion: .directory)
    var kit: String

    @OptionGroup var backups: BackupsOptions

    @Option(
        help: ArgumentHelp(
            "A preimage for a spending path that takes one: 32 bytes, or 64 hexadecimal digits; repeatable.",
            valueName: "file"), completion: .file())
    var preimage: [String] = []

    func run() async throws {
        try options.requireSense()
        let entries = try backups.entries()
        let read = try ReadKit(folder: kit)
        let invocation = try Invocation(options, to: name == nil ? .searching : .tending)
        let manager = invocation.manager
        let wallet = try name.map { try invocation.wallet($0) }
        if let wallet { try manager.require(read, of: wallet) }
        let preimages = try preimage.map { file throws(Failure) in try PreimageFile.read(file) }
        var opened: [OpenedBackup] = []
        for (index, entry) in entries.enumerated() {
            opened.append(try await open(entry, number: index + 1, of: entries.count, for: read, manager))
        }
        let report = try manager.rehearse(read, of: wallet, with: opened, preimages: preimages)
        let text = RehearsalText(
            report, backupCount: opened.count, others: read.others,
            hasNamesake: wallet == nil && isStored(read.wallet.name))
        if let failure = text.failure {
            if !invocation.console.isJSON { invocation.console.say(lines: text.lines) }
            throw failure
        }
        invocation.console.answer(RehearsalDocument(report, others: read.others), text.lines, remarks: text.remarks)
    }

    /// Whether there is a stored wallet with this name; not if the store cannot be read.
    private func isStored(_ name: String) -> Bool {
        let wallets = try? Invocation(options, to: .reading).manager.wallets()
        return wallets?.contains { $0.name == name } ?? false
    }

    /// Opens one of the backups; a wrong key is asked for again, for this backup only.
    private func open(
        _ entry: BackupsOptions.Entry, number: Int, of count: Int, for kit: ReadKit, _ manager: CardManager
    ) async throws -> OpenedBackup {
        let file = TerminalText.neutralized(entry.file)
        let ciphertext = try BackupKeyOptions.ciphertext(in: entry.file)
        let key = try entry.givenKey()
        if key == nil { options.console.note("Backup \(number) of \(count): \(file)") }
        let invocation = try Invocation(options, to: .searching, backupKey: key)
        do {
            let opened = try await invocation.openBackup(ciphertext, in: entry.file, for: .check)
            try manager.require(opened, for: kit)
            return opened
        } catch {
            let failure = Failure(unexpected: error)
            let isNamed = failure.code == .badBackup || !failure.code.condemnsBackup && failure.code != .badProof
            throw isNamed ? failure : failure.prefixed("\(file): ")
        }
    }
}
