import AnswerDocuments
import Bitcoin
import ByteCodec
import TapManager

/// `transaction.create`: builds and stores one.
struct TransactionCreateMethod: ServiceMethod {
    static let name = "transaction.create"
    static let summary =
        "Build a wallet's transaction and store it, unsigned; asks only if a payee may have been paid already."
    static let result = "As tapkit tx create --json."
    private static let payments = Parameter<[Payment]>(
        name: "to", summary: "The payees: objects with address and amount_sat.", isRequired: false,
        schema: .object([
            ("type", .string("array")),
            (
                "items",
                .object([
                    ("type", .string("object")), ("required", .array([.string("address"), .string("amount_sat")])),
                    (
                        "properties",
                        .object([
                            ("address", .object([("type", .string("string"))])),
                            ("amount_sat", .object([("type", .string("integer")), ("minimum", .number(1))])),
                        ])
                    ),
                ])
            ),
        ]), expectation: "an array of objects with address and amount_sat", read: Payment.all)
    private static let drain = Parameter.text("drain_to", "The address that gets everything else.")
    private static let coins = Parameter.texts(
        "coins", "The coins to spend (TXID:INDEX), all of them and no others; default: chosen.")
    private static let unconfirmed = Parameter.flag(
        "unconfirmed", "Whether coins of others' unconfirmed transactions are spent, too.")
    private static let note = Parameter.text("note", "A note for your own lists.")
    static let parameters: [any ParameterDescription] =
        [WalletTarget.wallet, payments, drain, coins, unconfirmed] + FeeArguments.parameters
        + [note, Parameter.network, CardArguments.asks]

    /// A payee as it is given.
    private struct Payment: Sendable {
        let address: String
        let amount: Amount

        static let all: @Sendable (JSONValue) -> [Payment]? = { value in
            guard let payees = value.array?.map(payee), !payees.contains(where: { $0 == nil }) else { return nil }
            return payees.compactMap(\.self)
        }

        private static func payee(_ value: JSONValue) -> Payment? {
            guard let members = value.object, Set(members.keys) == ["address", "amount_sat"],
                let address = members["address"]?.string,
                let amount = members["amount_sat"]?.integer.flatMap({ Amount(satoshis: $0) })
            else { return nil }
            return Payment(address: address, amount: amount)
        }
    }

    private let target: WalletTarget
    private let payments: [Payment]
    private let drain: String?
    private let coins: Set<Outpoint>?
    private let allowsUnconfirmed: Bool
    private let fee: FeeChoice
    private let note: String
    private let asks: CallInteraction.Side

    init(_ arguments: Arguments) throws {
        target = try WalletTarget(arguments)
        payments = try arguments.optional(Self.payments) ?? []
        drain = try arguments.optional(Self.drain)
        guard !payments.isEmpty || drain != nil else { throw RPCFault(.invalidParams, "Give to, drain_to, or both.") }
        coins = try arguments.optional(Self.coins).map { texts in
            Set(
                try texts.map { text in
                    guard let outpoint = Outpoint(parsing: text) else {
                        throw RPCFault(.invalidParams, "A coin is given as TXID:INDEX.")
                    }
                    return outpoint
                })
        }
        allowsUnconfirmed = try arguments.optional(Self.unconfirmed) ?? false
        fee = try FeeArguments(arguments).choice
        note = try arguments.optional(Self.note) ?? ""
        asks = try CardArguments(arguments).asks
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        let manager = call.manager(asking: asks)
        let wallet = try target.toUse(manager)
        let network = wallet.wallet.network
        let order = WalletOrder(
            payments: try payments.map {
                Bitcoin.Payment(to: try Address(argument: $0.address, on: network).scriptPubKey, amount: $0.amount)
            }, drain: try drain.map { try Address(argument: $0, on: network).scriptPubKey }, coins: coins,
            allowsUnconfirmed: allowsUnconfirmed, fee: fee, note: note)
        let transaction = try await manager.prepare(order, from: wallet)
        return ServiceAnswer(StoredTransactionDocument(manager.review(of: transaction, network: network)))
    }
}
