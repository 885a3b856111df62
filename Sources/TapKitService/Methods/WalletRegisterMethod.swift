import AnswerDocuments
import TapManager

/// `wallet.register`: has a card sign a wallet.
struct WalletRegisterMethod: ServiceMethod {
    static let name = "wallet.register"
    static let summary =
        "Have a card sign a wallet, so that any alteration is noticed. The whole wallet is shown before a CVC is asked "
        + "for: name, spending paths, keys, and first address."
    static let result = "As tapkit wallet register --json. Whoever listened to the reader learns the CVC with it."
    static let parameters: [any ParameterDescription] = WalletTarget.parameters + CardArguments.parameters

    private let target: WalletTarget
    private let options: CardArguments

    init(_ arguments: Arguments) throws {
        target = try WalletTarget(arguments)
        options = try CardArguments(arguments)
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        try await call.withCards(options) { manager in
            // As it is when it is shown: another program may have changed it while this one waited for its turn.
            let wallet = try target.toUse(manager)
            return ServiceAnswer(
                RegisteredWalletDocument(
                    try await manager.register(wallet, by: options.choice, network: target.network)))
        }
    }
}
