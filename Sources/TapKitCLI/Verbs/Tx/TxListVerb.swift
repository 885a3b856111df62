import ArgumentParser
import TapManager

/// `tapkit tx list`: the newest stored transactions.
struct TxListVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "The stored transactions, newest first.")

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp("How many at most.", valueName: "number"))
    var limit = 50

    @Option(help: ArgumentHelp("How many of the newest to leave out.", valueName: "number"))
    var skip = 0

    private struct Answer: Encodable {
        let transactions: [TransactionSummaryDocument]
        /// How many there are in all.
        let count: Int
    }

    func run() async throws {
        guard limit > 0, skip >= 0 else { throw Failure(.usage, "--limit is at least 1, --skip at least 0.") }
        let manager = try Invocation(options, to: .reading).manager
        let (summaries, count) = try manager.transactions(limit: limit, skipping: skip)
        let now = manager.now
        let none = skip == 0 ? "No transaction is stored. tapkit sign and tapkit tx import store them." : "No more."
        let rest = summaries.isEmpty ? 0 : count - skip - summaries.count
        options.console.answer(
            Answer(transactions: summaries.map(TransactionSummaryDocument.init), count: count),
            summaries.isEmpty ? [none] : summaries.flatMap { TransactionLine($0, now: now).lines },
            remarks: rest > 0 ? ["\(rest) more: --skip \(skip + summaries.count)"] : [])
    }
}
