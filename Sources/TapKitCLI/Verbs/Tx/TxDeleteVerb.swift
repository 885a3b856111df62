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
        let manager = try Invocation(options, to: .reading).manager
        let (id, isDeleted): (TransactionID, Bool)
        do {
            id = try manager.transactionID(named: self.id)
            isDeleted = try await manager.delete(id)
        } catch { throw Failure(unexpected: error) }
        if options.isJSON {
            JSONAnswer.write(Answer(id: id.description, deleted: isDeleted))
        } else {
            options.console.say("Deleted here. Copies elsewhere, and what was sent of it, stay as they are.")
        }
    }
}
