import AnswerDocuments
import Bitcoin
import TapManager

/// `wallets`: every wallet.
struct WalletsMethod: ServiceMethod {
    static let name = "wallets"
    static let summary = "Every wallet, with the balance that a chain server last reported."
    static let result = "As tapkit wallet list --json."

    init(_ arguments: Arguments) {}

    func run(_ call: ServiceCall) throws -> ServiceAnswer {
        ServiceAnswer(WalletsDocument(try call.manager.walletListings()))
    }
}

/// `wallet.show`: descriptors, balance and coins.
struct WalletShowMethod: ServiceMethod {
    static let name = "wallet.show"
    static let summary = "A wallet's descriptors, balance and coins; the chain server is asked, if there is one."
    static let result = "As tapkit wallet show --json."
    static let parameters: [any ParameterDescription] = WalletTarget.parameters + [WalletTarget.offline]

    private let target: WalletTarget

    init(_ arguments: Arguments) throws { target = try WalletTarget(arguments) }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        let (manager, wallet) = (call.manager, try target.toLook(call.manager))
        let chain =
            target.isOffline ? try manager.lastChain(of: wallet) : try await manager.currentChain(of: wallet)
        return ServiceAnswer(WalletDocument(try manager.overview(of: wallet, chain)))
    }
}

/// `wallet.sync`: asks the chain server.
struct WalletSyncMethod: ServiceMethod {
    static let name = "wallet.sync"
    static let summary = "Ask the chain server about a wallet; it learns every address of it."
    static let result = "As tapkit wallet sync --json."
    private static let gapLimit = Parameter.number(
        "gap_limit", 1...WalletSync.largestGapLimit,
        "How many unused addresses in a row end the search; default: 20.")
    static let parameters: [any ParameterDescription] = WalletTarget.parameters + [gapLimit]

    private let target: WalletTarget
    private let gapLimit: Int?

    init(_ arguments: Arguments) throws {
        target = try WalletTarget(arguments)
        gapLimit = try arguments.optional(Self.gapLimit)
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        let (manager, wallet) = (call.manager, try target.toLook(call.manager))
        let chain = try await manager.synchronize(wallet, gapLimit: gapLimit)
        return ServiceAnswer(WalletDocument(try manager.overview(of: wallet, chain)))
    }
}

/// `wallet.history`: what it received and spent.
struct WalletHistoryMethod: ServiceMethod {
    static let name = "wallet.history"
    static let summary = "What a wallet received and spent, as reported by the chain server."
    static let result = "As tapkit wallet history --json."
    static let parameters: [any ParameterDescription] = WalletTarget.parameters + [WalletTarget.offline]

    private let target: WalletTarget

    init(_ arguments: Arguments) throws { target = try WalletTarget(arguments) }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        let (manager, wallet) = (call.manager, try target.toLook(call.manager))
        let known = target.isOffline ? try manager.lastChain(of: wallet) : try await manager.currentChain(of: wallet)
        guard let chain = known else { throw WalletError.notSynchronized(wallet.stored.name) }
        let view = try manager.overview(of: wallet, chain)
        return ServiceAnswer(WalletHistoryDocument(WalletHistory(chain), chain, view))
    }
}
