import AnswerDocuments
import ArgumentParser
import TapManager

/// `tapkit tx delete`: deletes a stored transaction.
struct TxDeleteVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a stored transaction and its signatures.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The transaction's id, or the start of it.", completion: .transactions)
    var id: String

    func run() async throws {
        let manager = try Invocation(options, to: .reading).manager
        let id = try manager.transactionID(named: self.id)
        let isDeleted = try await manager.delete(id)
        options.console.answer(
            DeletedTransactionDocument(id, deleted: isDeleted),
            ["Deleted from the local store. Copies elsewhere, and anything already sent, are not affected."])
    }
}
