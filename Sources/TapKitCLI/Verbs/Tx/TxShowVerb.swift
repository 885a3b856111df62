import ArgumentParser
import TapManager

/// `tapkit tx show`: everything about a stored transaction.
struct TxShowVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "A stored transaction: what it spends and pays, who has signed, what is missing."
    )

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The transaction's id, or the beginning of it.")
    var id: String

    func run() async throws {
        let transaction = try TransactionArgument.transaction(id, in: options.existingStore())
        // Without its wallet, or with one that cannot be read, its change is a payment like others.
        let wallet = transaction.wallet.flatMap { try? WalletDesk.open($0, options).wallet }
        let shown = StoredTransactionReview(transaction, network: try options.network(), wallet: wallet)
        guard !options.isJSON else {
            JSONAnswer.write(StoredTransactionDocument(shown))
            return
        }
        for line in shown.lines(now: .now()) { options.console.say(line) }
    }
}
