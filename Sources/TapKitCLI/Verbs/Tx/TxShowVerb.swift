import AnswerDocuments
import ArgumentParser
import TapManager

/// `tapkit tx show`: everything about a stored transaction.
struct TxShowVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what a stored transaction spends and pays, who has signed, and what is missing.",
        discussion: """
            If it was sent and belongs to no wallet, tapkit asks the chain server, if one is set, what became of it.
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var offline: OfflineOptions

    @Argument(help: "The transaction's id, or the start of it.", completion: .transactions)
    var id: String

    func run() async throws {
        let invocation = try Invocation(options, to: .reading, asksChain: !offline.offline)
        let (transaction, fault) = try await invocation.manager.followed(
            try invocation.manager.transaction(named: id), network: invocation.network)
        if let fault { invocation.console.note("Its state may be out of date. \(fault.message)") }
        let shown = invocation.manager.review(of: transaction, network: invocation.network)
        invocation.console.answer(
            StoredTransactionDocument(shown), screen: StoredTransactionText(shown).screen(now: invocation.manager.now))
    }
}
