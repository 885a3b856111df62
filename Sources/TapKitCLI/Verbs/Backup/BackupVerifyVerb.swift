import ArgumentParser
import Bitcoin
import ExplainedErrors
import TapManager
import TapProtocol

/// `tapkit backup verify`: whether a backup opens, and belongs to the card on the reader.
struct BackupVerifyVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that a backup opens, and is of the card on the reader.",
        discussion: """
            Shows no private key. With the TAPSIGNER on the reader its CVC is asked for, and the card's own keys are \
            compared. Without a card only the file is checked, unless --reader, --card or --wait asks for one.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The encrypted backup; - for standard input.", completion: .file())
    var file: String

    @OptionGroup var keyOptions: BackupKeyOptions

    @Flag(help: "Check the file alone, whatever lies on the reader.")
    var noCard = false

    private struct Answer: Encodable {
        struct Card: Encodable {
            let checked: Bool
            let ident: String?
            let matches: Bool?
            /// The card's path now, which may be another than the backup's.
            let path: String?
            let simulated: Bool?
        }

        let valid = true
        let fingerprint: String
        let path: String
        let network: String
        let xpub: String
        let card: Card
    }

    /// A card that the backup was found to belong to.
    private struct Match {
        let ident: CardIdent
        /// The card's, which may be another than the backup's.
        let path: DerivationPath
        let isSimulated: Bool
    }

    func run() async throws {
        try options.requireSense()
        try GlobalOptions.requireOneInput([
            ("The backup", file == "-"), ("the backup's key", keyOptions.readsStandardInput),
            ("the CVC", !noCard && options.cvcOptions.readsStandardInput),
        ])
        let network = try options.network()
        let encrypted = try EncryptedBackup(path: file, keyOptions)
        let (backup, account): (Backup, Account)
        do throws(Failure) { (backup, account) = try Self.check(encrypted, network) } catch {
            throw error.asVerdict
        }
        let match = try await compare(backup)
        answer(account, network: network ?? backup.network, match)
    }

    /// Opens the backup, and finds nothing missing in it.
    private static func check(_ encrypted: EncryptedBackup, _ network: Network?) throws(Failure) -> (Backup, Account) {
        let backup = try encrypted.open(for: network)
        do throws(TapError) {
            guard backup.isPathWhole else { throw .badBackup(.cutOff) }
            return (backup, try backup.account(at: backup.path))
        } catch { throw Failure(error) }
    }

    /// Compares the backup with the card.
    /// - Returns: `nil` when there is no card, and nobody asked for one.
    private func compare(_ backup: Backup) async throws -> Match? {
        guard !noCard, try await isCardExpected() else { return nil }
        do {
            let invocation = try Invocation(options)
            let card = try await invocation.card()
            let path = try await invocation.during { try await invocation.manager.compare(backup, with: card) }
            return Match(ident: card.ident, path: path, isSimulated: invocation.isSimulated(card))
        } catch {
            let failure = Failure(unexpected: error)
            if failure.code.isAbsence && !isCardAskedFor { return nil }
            throw failure.code == .otherCardsBackup ? failure.asVerdict : failure.mentioningNoCard
        }
    }

    /// Whether there is a card, or one was asked for: without one, neither the CVC nor the local store is needed.
    private func isCardExpected() async throws(Failure) -> Bool {
        guard !isCardAskedFor else { return true }
        let invocation = try Invocation(options, to: .searching)
        do throws(CardSearchError) {
            for card in try await invocation.manager.cards(invocation.choice) { await card.card.disconnect() }
            return true
        } catch { return !error.code.isAbsence }
    }

    /// Whether a card that is not there is a failure.
    private var isCardAskedFor: Bool {
        options.isReaderNamed || options.cardChoice != .any || options.waitText != nil
    }

    private func answer(_ account: Account, network: Network, _ match: Match?) {
        let ident = match?.ident.description
        let isSimulated = match?.isSimulated == true
        let proven = ident.map {
            "  Proven: it is the backup of \(isSimulated ? "SIMULATED " : "")card \($0)."
        }
        options.console.answer(
            Answer(
                fingerprint: account.masterFingerprint.description, path: account.path.description,
                network: network.rawValue, xpub: account.key.text,
                card: .init(
                    checked: match != nil, ident: ident, matches: match.map { _ in true },
                    path: match?.path.description, simulated: isSimulated ? true : nil)),
            ["The backup opens with this key, and is whole."] + BackupText.lines(account, network: network)
                + ["  Xpub: \(account.key.text)"] + [proven].compactMap(\.self))
        note(account, match)
    }

    private func note(_ account: Account, _ match: Match?) {
        guard let match else {
            options.console.note("Only the file was checked. With the card on the reader, tapkit compares its keys.")
            return
        }
        guard match.path != account.path else { return }
        options.console.note(
            "The card stands at \(match.path) now; the path in the backup is \(account.path). The keys are the same.")
    }
}

extension ErrorCode {
    /// Whether there is no card, as far as anybody can tell.
    fileprivate var isAbsence: Bool {
        switch self {
        case .noCard, .noReader, .noService: true
        default: false
        }
    }
}

extension Failure {
    /// The same failure, as what the verification came to, if it says something of the backup.
    fileprivate var asVerdict: Failure {
        var failure = self
        switch code {
        case .badBackup, .wrongBackupKey, .otherCardsBackup: failure.isValid = false
        default: break
        }
        return failure
    }

    /// The same failure, with the way to do without the card.
    fileprivate var mentioningNoCard: Failure {
        guard code != .interrupted else { return self }
        return hinting("The file is good; --no-card checks it alone.")
    }
}
