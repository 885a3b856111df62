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
        let (summaries, count): ([TransactionSummary], Int)
        do throws(StoreError) { (summaries, count) = try manager.transactions(limit: limit, skipping: skip) } catch {
            throw Failure(error)
        }
        guard !options.isJSON else {
            JSONAnswer.write(Answer(transactions: summaries.map(TransactionSummaryDocument.init), count: count))
            return
        }
        guard !summaries.isEmpty else {
            options.console.say(
                skip == 0 ? "No transaction is stored. tapkit sign and tapkit tx import store them." : "No more.")
            return
        }
        let now = manager.now
        for summary in summaries { options.console.say(lines: TransactionLine(summary, now: now).lines) }
        let rest = count - skip - summaries.count
        if rest > 0 { options.console.note("\(rest) more: --skip \(skip + summaries.count)") }
    }
}
