import AnswerDocuments
import ArgumentParser
import TapManager

/// `tapkit tx show`: everything about a stored transaction.
struct TxShowVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what a stored transaction spends and pays, who has signed, and what is missing."
    )

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The transaction's id, or the start of it.", completion: .transactions)
    var id: String

    func run() async throws {
        let invocation = try Invocation(options, to: .reading)
        let transaction = try invocation.manager.transaction(named: id)
        let shown = invocation.manager.review(of: transaction, network: invocation.network)
        invocation.console.answer(
            StoredTransactionDocument(shown), screen: StoredTransactionText(shown).screen(now: invocation.manager.now))
    }
}
