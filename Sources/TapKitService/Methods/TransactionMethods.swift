import AnswerDocuments
import Bitcoin
import ExplainedErrors
import TapManager

/// `transactions`: the newest stored ones.
struct TransactionsMethod: ServiceMethod {
    static let name = "transactions"
    static let summary = "The stored transactions, newest first."
    static let result = "As tapkit tx list --json."
    private static let limit = Parameter.number("limit", 1...1_000, "How many at most; default: 50.")
    private static let skip = Parameter.number(
        "skip", 0...Int(Int32.max), "How many of the newest to skip; default: 0.")
    static let parameters: [any ParameterDescription] = [limit, skip, Parameter.network]

    private let (limit, skip): (Int, Int)
    private let network: Network?

    init(_ arguments: Arguments) throws {
        limit = try arguments.optional(Self.limit) ?? 50
        skip = try arguments.optional(Self.skip) ?? 0
        network = try arguments.network()
    }

    func run(_ call: ServiceCall) throws -> ServiceAnswer {
        let (listings, count) = try call.manager.transactionListings(limit: limit, skipping: skip, network: network)
        return ServiceAnswer(TransactionsDocument(listings, of: count))
    }
}

/// `transaction.show`: everything about one.
struct TransactionShowMethod: ServiceMethod {
    static let name = "transaction.show"
    static let summary = "What a stored transaction spends and pays, who has signed, and what is missing."
    static let result = "As tapkit tx show --json."
    static let parameters: [any ParameterDescription] = [
        Parameter.transaction, Parameter.network, WalletTarget.offline,
    ]

    private let id: String
    private let network: Network?
    private let isOffline: Bool

    init(_ arguments: Arguments) throws {
        id = try arguments.required(Parameter.transaction)
        network = try arguments.network()
        isOffline = try arguments.optional(WalletTarget.offline) ?? false
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        let manager = call.manager
        var transaction = try manager.transaction(named: id)
        if !isOffline { transaction = try await manager.followed(transaction, network: network).transaction }
        return ServiceAnswer(StoredTransactionDocument(manager.review(of: transaction, network: network)))
    }
}

/// `send`: gives a signed one to the network.
struct SendMethod: ServiceMethod {
    static let name = "send"
    static let summary =
        "Send a signed transaction to the network. With asks: client, the client is asked; otherwise only findings "
        + "that can lose money, and were not accepted at the signing, are asked about."
    static let result = "As tapkit tx broadcast --json."
    static let parameters: [any ParameterDescription] = [Parameter.transaction, Parameter.network, CardArguments.asks]

    private let id: String
    private let network: Network?
    private let asks: CallInteraction.Side

    init(_ arguments: Arguments) throws {
        id = try arguments.required(Parameter.transaction)
        network = try arguments.network()
        asks = try CardArguments(arguments).asks
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        let manager = call.manager(asking: asks)
        let stored = try manager.transaction(named: id)
        try manager.requireSendable(stored)
        let network = stored.network(asked: network)
        let server = try manager.requireChainServer(for: .send, on: network)
        let transaction = try await manager.send(stored, network: network)
        return ServiceAnswer(SentDocument(stored, transaction, to: server))
    }
}
