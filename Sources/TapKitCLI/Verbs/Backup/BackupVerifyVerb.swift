import AnswerDocuments
import ArgumentParser
import Bitcoin
import ExplainedErrors
import TapManager
import TapProtocol
import Terminal

/// `tapkit backup verify`: whether a backup can be decrypted, and belongs to the card on the reader.
struct BackupVerifyVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that a backup can be decrypted and belongs to the card on the reader.",
        discussion: """
            Shows no private key. If the TAPSIGNER is on the reader, you are asked for its CVC, and the card's own \
            keys are compared. Without a card only the file is checked, unless --reader, --card or --wait requires \
            one.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The backup file; - for standard input.", completion: .file())
    var file: String

    @OptionGroup var keyOptions: BackupKeyOptions

    @Flag(help: "Check only the file, even if there is a card on the reader.")
    var noCard = false

    /// The card that the backup belongs to, and its path, which may differ from the backup's.
    private typealias Match = (card: CardAtHand, path: DerivationPath)

    func run() async throws {
        try options.requireSense()
        try GlobalOptions.requireOneInput([
            ("The backup", InputFile.isStandardInput(file)), ("the backup's key", keyOptions.readsStandardInput),
            ("the CVC", !noCard && options.readsCVCFromStandardInput),
        ])
        let ciphertext: EncryptedBackup
        do { ciphertext = try BackupKeyOptions.ciphertext(in: file) } catch {
            throw Failure(unexpected: error).asVerdict
        }
        // Without a card, neither the CVC nor the local store is needed.
        let invocation = try Invocation(options, to: .searching, backupKey: try keyOptions.given())
        let opened: OpenedBackup
        do {
            opened = try await invocation.openBackup(ciphertext, in: file, for: .check)
        } catch { throw Failure(unexpected: error).asVerdict }
        let isRequired = options.isReaderNamed || invocation.choice != .any || options.waitText != nil
        let isWanted =
            if noCard { false } else if isRequired { true } else { await invocation.manager.isSomethingThere() }
        answer(opened, isWanted ? try await compare(opened, invocation, isRequired: isRequired) : nil)
    }

    /// Compares the backup with the card.
    /// - Returns: `nil` if there is no card, and none was required.
    private func compare(_ opened: OpenedBackup, _ invocation: Invocation, isRequired: Bool) async throws -> Match? {
        do {
            let invocation = try invocation.withCards()
            return try await invocation.during {
                try await invocation.manager.compare(
                    opened, with: invocation.choice, isRequired: isRequired, network: invocation.network)
            }
        } catch {
            let failure = Failure(unexpected: error)
            throw failure.code.condemnsBackup ? failure.asVerdict : failure.mentioningNoCard
        }
    }

    private func answer(_ opened: OpenedBackup, _ match: Match?) {
        let account = opened.account
        let proven = match.map {
            "  Proven: this is the backup of \(SimulatedMark.text(if: $0.card.isSimulated))card \($0.card.ident)."
        }
        options.console.answer(
            BackupCheckDocument(opened, match),
            ["The backup can be decrypted with this key, and is complete."] + BackupText.lines(opened)
                + ["  Xpub: \(account.key.text)"] + [proven].compactMap(\.self))
        note(account, match)
    }

    private func note(_ account: Account, _ match: Match?) {
        guard let match else {
            options.console.note(
                "Only the file was checked. If the card is on the reader, tapkit also compares its keys.")
            return
        }
        guard match.path != account.path else { return }
        options.console.note(
            "The card is now at path \(match.path); the backup's path is \(account.path). The keys are the same.")
    }
}

extension Failure {
    /// The same failure as the result of the verification, if it is about the backup.
    fileprivate var asVerdict: Failure {
        var failure = self
        if code.condemnsBackup { failure.isValid = false }
        return failure
    }

    /// The same failure, with the option that works without the card.
    fileprivate var mentioningNoCard: Failure {
        guard code != .interrupted else { return self }
        return hinting("The file is good; use --no-card to check only the file.")
    }
}
