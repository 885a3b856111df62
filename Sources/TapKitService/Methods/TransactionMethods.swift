import AnswerDocuments
import Bitcoin
import ExplainedErrors
import TapManager
import TextLayout

/// `transactions`: the newest stored ones.
struct TransactionsMethod: ServiceMethod {
    static let name = "transactions"
    static let summary = "The stored transactions, newest first."
    static let result = "As tapkit tx list --json."
    private static let limit = Parameter.number("limit", 1...1_000, "How many at most; default: 50.")
    private static let skip = Parameter.number(
        "skip", 0...Int(Int32.max), "How many of the newest to skip; default: 0.")
    static let parameters: [any ParameterDescription] = [limit, skip, Common.network]

    private struct Document: Encodable {
        let transactions: [TransactionSummaryDocument]
        /// How many there are in all.
        let count: Int
    }

    private let (limit, skip): (Int, Int)
    private let network: Network?

    init(_ arguments: Arguments) throws {
        limit = try arguments.optional(Self.limit) ?? 50
        skip = try arguments.optional(Self.skip) ?? 0
        network = try Common.network(arguments)
    }

    func run(_ call: ServiceCall) throws -> ServiceAnswer {
        let (listings, count) = try call.manager.transactionListings(limit: limit, skipping: skip, network: network)
        return ServiceAnswer(Document(transactions: listings.map(TransactionSummaryDocument.init), count: count))
    }
}

/// `transaction.show`: everything about one.
struct TransactionShowMethod: ServiceMethod {
    static let name = "transaction.show"
    static let summary = "What a stored transaction spends and pays, who has signed, and what is missing."
    static let result = "As tapkit tx show --json."
    static let parameters: [any ParameterDescription] = [Common.id, Common.network, Common.offline]

    private let id: String
    private let network: Network?
    private let isOffline: Bool

    init(_ arguments: Arguments) throws {
        id = try arguments.required(Common.id)
        network = try Common.network(arguments)
        isOffline = try arguments.optional(Common.offline) ?? false
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
        "Send a signed transaction to the network. With asks: client, the client confirms it; otherwise only findings "
        + "that can lose money, and were not accepted at the signing, are asked about."
    static let result = "As tapkit tx broadcast --json."
    static let parameters: [any ParameterDescription] = [Common.id, Common.network, CardArguments.asks]

    private struct Document: Encodable {
        let id: String
        let txid: String
        let tx: String
        let state: String
        let server: String
    }

    private let id: String
    private let network: Network?
    private let asks: CallInteraction.Side

    init(_ arguments: Arguments) throws {
        id = try arguments.required(Common.id)
        network = try Common.network(arguments)
        asks = try CardArguments(arguments).asks
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        let manager = call.manager(asking: asks)
        let stored = try manager.transaction(named: id)
        try manager.requireSendable(stored)
        let network = stored.network(asked: network)
        let server = try manager.requireChainServer(for: .send, on: network)
        let transaction = try await manager.send(stored, network: network)
        return ServiceAnswer(
            Document(
                id: stored.id.description, txid: transaction.id.description, tx: transaction.hexText,
                state: TransactionState.sent.rawValue, server: TerminalText.neutralized(server)))
    }
}
