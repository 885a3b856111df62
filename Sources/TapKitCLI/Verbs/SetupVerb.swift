import AnswerDocuments
import ArgumentParser
import Bitcoin
import TapManager
import TapProtocol

/// `tapkit setup`: sets up a card.
struct SetupVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Set up a card: key, backup, path, new CVC. Its key is proven.",
        discussion: """
            The card picks its key with a random chain code from this machine, so that it cannot choose the key alone. \
            The encrypted backup is saved before the CVC is changed; a SATSCHIP has none. If setup is interrupted, run \
            the same command again. A card that is already set up keeps its path and CVC, unless you give --path or \
            --new-cvc-file and agree to the change; tapkit derive and tapkit change-cvc change them, too.

            SATSCARD: gives the next slot a key and shows its address.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(
        help: ArgumentHelp("The card's path; default m/84h/0h/0h, or m/84h/1h/0h on test networks.", valueName: "path"))
    var path: String?

    @Option(help: ArgumentHelp("The chain code (32 bytes) to use instead of a random one.", valueName: "hex"))
    var chainCode: String?

    @Option(
        help: ArgumentHelp("The encrypted backup file; default: IDENT.aes in this folder.", valueName: "file"),
        completion: .file())
    var backup: String?

    @OptionGroup var newCVCOptions: NewCVCOptions

    @Flag(help: "Keep the current CVC.")
    var keepCVC = false

    func run() async throws {
        let goalPath = try path.map { text throws(Failure) in try PathArgument.parse(text) }
        let chainCode = try chainCode.map { text throws(Failure) in try Self.parseChainCode(text) }
        guard !(keepCVC && newCVCOptions.isGiven) else {
            throw Failure(.usage, "--keep-cvc and --new-cvc-file cannot be used together.")
        }
        let newCVC = try newCVCOptions.fromFile(beside: options.cvcSource)
        let invocation = try Invocation(options, newCVC: newCVC)
        let (manager, card) = (invocation.manager, try await invocation.card())
        guard card.status.product != .satscard else {
            try requireNoSignerOptions()
            let slot = try await invocation.during { try await manager.setUpSlot(card, chainCode: chainCode) }
            return try NewSlotAnswer(slot, of: card, invocation).write(to: invocation.console)
        }
        if let warning = goalPath.flatMap({ card.warning(about: $0) }) { invocation.console.note(warning) }
        let keepsCVC = keepCVC ? true : newCVCOptions.isGiven ? false : nil
        var goal = SetupGoal(path: goalPath, chainCode: chainCode, keepsCVC: keepsCVC)
        goal.triesCVCFirst = newCVC == nil
        let file = BackupFile(path: backup, ident: card.ident)
        let result = try await invocation.during {
            try await manager.setUp(card, goal, backup: backup == nil ? nil : file)
        }
        invocation.console.answer(
            CardSetupDocument(result, of: card, file: file), lines(result, of: card, file: file))
        if result.isKeyOfEarlierSetup { invocation.console.note(Self.earlierSetupWarning) }
    }

    /// Refuses options that a SATSCARD does not support: it has no path and no backup, and its CVC cannot be changed.
    private func requireNoSignerOptions() throws(Failure) {
        guard path == nil, backup == nil, !newCVCOptions.isGiven else {
            throw Failure(
                .notSupported, "A SATSCARD has no path and no backup, and its CVC cannot be changed.",
                hint: "tapkit setup without these options gives its next slot a key.")
        }
    }

    private func lines(_ result: CardSetup, of card: CardAtHand, file: BackupFile) -> [String] {
        let account = result.account
        let name = "\(result.product.displayName) \(result.ident.called(card.name))"
        var lines = ["\(SimulatedMark.text(if: card.isSimulated))\(name) is ready."]
        lines += [
            Self.keyLine(isNew: result.isKeyNew, isOfEarlierSetup: result.isKeyOfEarlierSetup),
            "  Path: \(account.path)",
            "  Fingerprint: \(account.masterFingerprint)",
            "  Xpub: \(account.key.text)",
        ]
        let isCosigner = MultisigAccount.isForCosigners(account.path)
        // Descriptors of this key alone would make a wallet where other programs do not look for one.
        lines +=
            isCosigner
            ? ["  Cosigner key: \(AccountKey(account))"]
            : DescriptorExport(account).descriptors.map { "  Descriptor: \($0)" }
        if result.backup != nil {
            lines.append(
                "  Backup: \(file.path), encrypted with the backup key printed on the card. Keep a copy in another place."
            )
            lines.append("  Not verified yet: tapkit backup verify \(file.path), preferably on another reader.")
        }
        if result.product == .satschip {
            lines.append("  Backup: none. A SATSCHIP cannot be backed up: if you lose the card, you lose the money.")
        }
        if result.isCVCNew {
            let spare = result.backup == nil ? "." : ", or the backup file and the key printed on the card."
            lines.append("  CVC: changed. To spend, you need the card and this CVC\(spare)")
        } else if result.wasReady {
            lines.append("  CVC: unchanged (change it with tapkit change-cvc)")
        }
        return lines
            + (isCosigner ? ["  Next: tapkit export cosigner, whose output the wallet's coordinator needs"] : [])
    }

    /// What is known about the age of a key. Anyone who can write to the store could have put the chain code of a key
    /// that they know there, so what only the store says is called neither new nor proven.
    static func keyLine(isNew: Bool, isOfEarlierSetup: Bool) -> String {
        guard !isNew else { return "  Key: new, picked with a chain code from this machine (proven)" }
        return isOfEarlierSetup ? earlierSetupLine : "  Key: unchanged"
    }

    /// What is said about a key that, according to the local store alone, is that of an interrupted setup.
    static let earlierSetupLine =
        "  Key: from an interrupted setup, according to the local store (it has that chain code)"
    /// A warning for people, shown even if a program reads the answer.
    static let earlierSetupWarning =
        "If no setup of yours was interrupted, do not use the card: somebody else may know its key."

    private static func parseChainCode(_ text: String) throws(Failure) -> ChainCode {
        guard let chainCode = ChainCode(parsing: text) else {
            throw Failure(.badChainCode, "A chain code has 32 bytes: 64 hexadecimal digits.")
        }
        return chainCode
    }
}
