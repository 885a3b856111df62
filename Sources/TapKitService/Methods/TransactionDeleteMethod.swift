import AnswerDocuments
import TapManager

/// `transaction.delete`: forgets a stored transaction.
struct TransactionDeleteMethod: ServiceMethod {
    static let name = "transaction.delete"
    static let summary =
        "Delete a stored transaction and its signatures after asking, even if it cannot be read. This frees its "
        + "coins; what was sent stays sent."
    static let result = "As tapkit tx delete --json."
    static let parameters: [any ParameterDescription] = [Parameter.transaction, CardArguments.asks]

    private let id: String
    private let asks: CallInteraction.Side

    init(_ arguments: Arguments) throws {
        id = try arguments.required(Parameter.transaction)
        asks = try CardArguments(arguments).asks
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        let manager = call.manager(asking: asks)
        let id = try manager.transactionID(named: self.id)
        let isDeleted = try await manager.delete(id)
        return ServiceAnswer(DeletedTransactionDocument(id, deleted: isDeleted))
    }
}
