import ArgumentParser
import Bitcoin
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
        let id = try TransactionArgument.id(id, in: store)
        options.console.note(lines: try Self.words(for: id, in: store))
        try Confirmation.require("Forget this transaction and its signatures?", options)
        let isDeleted: Bool
        do { isDeleted = try store?.deleteTransaction(id) ?? false } catch { throw Failure(error) }
        if options.isJSON {
            JSONAnswer.write(Answer(id: id.description, deleted: isDeleted))
        } else {
            options.console.say("Deleted here. Copies elsewhere, and what was sent of it, stay as they are.")
        }
    }

    /// What is deleted. One that cannot be read can still be deleted: there is no other way to be rid of it.
    private static func words(for id: TransactionID, in store: (any Store)?) throws(Failure) -> [String] {
        do throws(StoreError) {
            guard let transaction = try store?.transaction(id) else { throw .noSuchTransaction(id) }
            return TransactionLine(transaction.summary, now: .now()).lines
        } catch {
            guard case .unreadable(_, let what) = error else { throw Failure(error) }
            return ["\(id)", "  It cannot be read: \(what)."]
        }
    }
}
