import AnswerDocuments
import TapManager

/// `wallet.remove`: forgets a wallet.
struct WalletRemoveMethod: ServiceMethod {
    static let name = "wallet.remove"
    static let summary =
        "Remove a wallet from the store, once that was agreed to, even if it was altered. Its money stays where it is."
    static let result = "As tapkit wallet remove --json."
    static let parameters: [any ParameterDescription] = WalletTarget.parameters + [CardArguments.asks]

    private let target: WalletTarget
    private let asks: CallInteraction.Side

    init(_ arguments: Arguments) throws {
        target = try WalletTarget(arguments)
        asks = try CardArguments(arguments).asks
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        let manager = call.manager(asking: asks)
        let wallet = try target.toRemove(manager)
        try await manager.remove(wallet)
        return ServiceAnswer(RemovedWalletDocument(wallet))
    }
}
