import AnswerDocuments
import ArgumentParser
import TapManager

/// `tapkit tx list`: the newest stored transactions.
struct TxListVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the stored transactions, newest first.",
        discussion: """
            States: unsigned, partial, complete (ready to be sent), sent, confirmed (with the number of \
            confirmations), replaced (a confirmed transaction spends its coins). The last two are what a chain server \
            reported when it was last asked.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp("The maximum number of transactions.", valueName: "number"))
    var limit = 50

    @Option(help: ArgumentHelp("How many of the newest transactions to skip.", valueName: "number"))
    var skip = 0

    func run() async throws {
        guard limit > 0, skip >= 0 else { throw Failure(.usage, "--limit must be at least 1, and --skip at least 0.") }
        let invocation = try Invocation(options, to: .reading)
        let (manager, console) = (invocation.manager, invocation.console)
        let (listings, count) = try manager.transactionListings(
            limit: limit, skipping: skip, network: invocation.network)
        let none =
            skip == 0
            ? "No transactions are stored. tapkit sign, tapkit tx create and tapkit tx import store them." : "No more."
        let rest = listings.isEmpty ? 0 : count - skip - listings.count
        console.answer(
            TransactionsDocument(listings, of: count),
            listings.isEmpty ? [none] : console.lines(TransactionTable.table(listings, now: manager.now)),
            remarks: rest > 0 ? ["\(rest) more: use --skip \(skip + listings.count)"] : [])
    }
}
