import ArgumentParser
import TapManager

/// `tapkit tx delete`: forgets a stored transaction.
struct TxDeleteVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Forget a stored transaction and its signatures.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The transaction's id, or the beginning of it.")
    var id: String

    private struct Answer: Encodable {
        let id: String
        let deleted: Bool
    }

    func run() async throws {
        let store = try options.existingStore()
        let transaction = try TransactionArgument.transaction(id, in: store)
        options.console.note(TransactionLine(transaction.summary, now: .now()).text)
        try Confirmation.require("Forget this transaction and its signatures?", isGiven: options.isConfirmed)
        let isDeleted: Bool
        do { isDeleted = try store?.deleteTransaction(transaction.id) ?? false } catch { throw Failure(error) }
        if options.isJSON {
            JSONAnswer.write(Answer(id: transaction.id.description, deleted: isDeleted))
        } else {
            options.console.say("Deleted. It was not sent, and its coins are not spent by it.")
        }
    }
}
