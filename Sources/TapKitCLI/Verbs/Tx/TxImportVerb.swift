import AnswerDocuments
import ArgumentParser
import Bitcoin
import TapManager

/// `tapkit tx import`: stores a PSBT.
struct TxImportVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Store a PSBT, or combine it with the stored one of the same transaction.",
        discussion: """
            Its signatures must be valid. A PSBT that contradicts the stored one of the same transaction is refused, \
            and nothing is changed.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The PSBT: binary, Base64 or hexadecimal; - for standard input.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("A note to yourself.", valueName: "text"))
    var note: String?

    func run() async throws {
        let psbt = try PSBTFiles(input: file, output: file).read()
        let invocation = try Invocation(options, to: .storing)
        let manager = invocation.manager
        let (transaction, isNew): (StoredTransaction, Bool)
        do {
            (transaction, isNew) = try manager.importTransaction(psbt, network: invocation.network, note: note)
        } catch let error as PSBTError { throw Failure(error, file: file) }
        let shown = manager.review(of: transaction, network: invocation.network)
        let console = invocation.console
        if !console.isJSON { console.note(isNew ? "Stored." : "Combined with the stored one.") }
        console.answer(
            StoredTransactionDocument(shown, isNew: isNew),
            screen: StoredTransactionText(shown).screen(now: manager.now),
            remarks: Self.nextStep(shown).map { ["Next: \($0)"] } ?? [])
    }

    /// What to do with it; `nil` if tapkit refuses it, does not know a script, or has sent it.
    private static func nextStep(_ shown: StoredTransactionReview) -> String? {
        guard !shown.findings.contains(where: { $0.severity == .refusal }) else { return nil }
        let id = shown.transaction.psbt.unsignedTransaction.id.abbreviated
        return switch shown.transaction.summary.state {
        case .unsigned, .partial: shown.tally.missing > 0 ? "tapkit tx sign \(id)" : nil
        case .complete: "tapkit tx broadcast \(id)"
        case .sent, .confirmed, .replaced: nil
        }
    }
}
