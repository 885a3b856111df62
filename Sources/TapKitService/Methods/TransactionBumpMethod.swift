import AnswerDocuments
import Bitcoin
import TapManager

/// `transaction.bump`: a replacement that pays a higher fee.
struct TransactionBumpMethod: ServiceMethod {
    static let name = "transaction.bump"
    static let summary =
        "Replace a stored transaction by one with the same payments and a higher fee (BIP-125); nothing is signed or "
        + "sent. The old one is deleted, unless a chain server was given it."
    static let result = "As tapkit tx bump --json."
    static let parameters: [any ParameterDescription] =
        [Parameter.transaction] + FeeArguments.parameters + [Parameter.network]

    private let id: String
    private let fee: FeeChoice
    private let network: Network?

    init(_ arguments: Arguments) throws {
        id = try arguments.required(Parameter.transaction)
        fee = try FeeArguments(arguments).choice
        network = try arguments.network()
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        let manager = call.manager
        let stored = try manager.transaction(named: id)
        let bumped = try await manager.bump(stored, to: fee, network: network)
        return ServiceAnswer(
            StoredTransactionDocument(manager.review(of: bumped, network: bumped.network), replaces: stored.id))
    }
}
