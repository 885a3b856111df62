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
            each spending path was last proven with the named backups; without a name, nothing is compared, as for \
            heirs. Each backup's key is asked for, or read from a --key-file: the first one is for the first \
            --backup, and so on.

            With the wallet's name alone, the descriptors and backups in the store are used: this proves that you \
            can spend, not that heirs have everything they need, and nothing is remembered.

            The backups are decrypted on this machine. Rehearse on one that you trust.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The wallet's name; without it, the kit is compared with no stored wallet.", completion: .wallets)
    var name: String?

    @Option(
        help: ArgumentHelp(
            "The folder with the kit. Without it, the wallet is rehearsed as it is stored.", valueName: "folder"),
        completion: .directory)
    var kit: String?

    @OptionGroup var backups: BackupsOptions

    @Option(
        help: ArgumentHelp(
            "A preimage for a spending path that takes one: 32 bytes, or 64 hexadecimal digits; repeatable.",
            valueName: "file"), completion: .file())
    var preimage: [String] = []

    func run() async throws {
        try options.requireSense()
        let named = try backups.entries()
        try requireSubject(hasBackups: !named.isEmpty)
        let read = try kit.map { try ReadKit(folder: $0) }
        let invocation = try Invocation(options, to: name == nil ? .searching : .tending)
        let manager = invocation.manager
        let wallet = try name.map { try invocation.wallet($0) }
        let subject = try Subject(read, wallet)
        if let wallet, let read { try manager.require(read, of: wallet) }
        let entries = try named.isEmpty ? wallet.map { try stored(for: $0, manager) } ?? [] : named
        let preimages = try preimage.map { file throws(Failure) in try PreimageFile.read(file) }
        var opened: [OpenedBackup] = []
        for (index, entry) in entries.enumerated() {
            opened.append(try await open(entry, number: index + 1, of: entries.count, for: subject.wallet, manager))
        }
        let report = try subject.rehearse(
            with: opened, preimages, manager, hasStoredBackups: named.isEmpty)
        let text = RehearsalText(
            report, backupCount: opened.count, others: subject.others,
            hasNamesake: wallet == nil && isStored(subject.wallet.name))
        if let failure = text.failure {
            if !invocation.console.isJSON { invocation.console.say(lines: text.lines) }
            throw failure
        }
        invocation.console.answer(
            RehearsalDocument(report, others: subject.others), text.lines, remarks: text.remarks)
    }

    /// Refuses a command line that says too little.
    private func requireSubject(hasBackups: Bool) throws(Failure) {
        guard name != nil || kit != nil else { throw Self.noSubject }
        guard name != nil || hasBackups else {
            throw Failure(
                .usage, "No backup was named. Stored backups are used only with the wallet's name.",
                hint: "Name each card's backup with --backup FILE.")
        }
    }

    private static var noSubject: Failure {
        Failure(
            .usage, "Neither a wallet nor a kit was named.",
            hint: "Give the wallet's name, the kit's folder with --kit FOLDER, or both.")
    }

    /// What is rehearsed.
    private enum Subject {
        /// A kit, compared with a stored wallet if one is named.
        case kit(ReadKit, of: OpenedWallet?)
        case stored(OpenedWallet)

        init(_ kit: ReadKit?, _ wallet: OpenedWallet?) throws(Failure) {
            if let kit {
                self = .kit(kit, of: wallet)
            } else if let wallet {
                self = .stored(wallet)
            } else {
                throw WalletRehearseVerb.noSubject
            }
        }

        var wallet: WatchWallet {
            switch self {
            case .kit(let kit, of: _): kit.wallet
            case .stored(let opened): opened.wallet
            }
        }

        /// See `ReadKit.others`.
        var others: [String] {
            guard case .kit(let kit, of: _) = self else { return [] }
            return kit.others
        }

        func rehearse(
            with backups: [OpenedBackup], _ preimages: [[UInt8]], _ manager: CardManager, hasStoredBackups: Bool
        ) throws -> RehearsalReport {
            switch self {
            case .kit(let kit, let opened):
                try manager.rehearse(
                    kit, of: opened, with: backups, preimages: preimages, hasStoredBackups: hasStoredBackups)
            case .stored(let opened): try manager.rehearse(opened, with: backups, preimages: preimages)
            }
        }
    }

    /// The stored backups of a wallet's cards.
    private func stored(for wallet: OpenedWallet, _ manager: CardManager) throws -> [BackupsOptions.Entry] {
        try backups.entries(
            try manager.storedBackups(for: wallet).map { card, backup in
                let ident = card.ident.called(card.shownName)
                return ("Stored backup of \(card.product.displayName) \(ident)", backup.ciphertext)
            })
    }

    /// Whether there is a stored wallet with this name; not if the store cannot be read.
    private func isStored(_ name: String) -> Bool {
        let wallets = try? Invocation(options, to: .reading).manager.wallets()
        return wallets?.contains { $0.name == name } ?? false
    }

    /// Opens one of the backups; a wrong key is asked for again, for this backup only.
    private func open(
        _ entry: BackupsOptions.Entry, number: Int, of count: Int, for wallet: WatchWallet, _ manager: CardManager
    ) async throws -> OpenedBackup {
        let file = TerminalText.neutralized(entry.name)
        let ciphertext = try entry.ciphertext()
        let key = try entry.givenKey()
        if key == nil { options.console.note("Backup \(number) of \(count): \(file)") }
        let invocation = try Invocation(options, to: .searching, backupKey: key)
        do {
            let opened = try await invocation.openBackup(ciphertext, in: entry.name, for: .check)
            try manager.require(opened, for: wallet)
            return opened
        } catch {
            let failure = Failure(unexpected: error)
            let isNamed = failure.code == .badBackup || !failure.code.condemnsBackup && failure.code != .badProof
            throw isNamed ? failure : failure.prefixed("\(file): ")
        }
    }
}
