import AnswerDocuments
import Bitcoin
import TapManager

/// `wallet.label`: labels a transaction, an address or a coin.
struct WalletLabelMethod: ServiceMethod {
    static let name = "wallet.label"
    static let summary = "Label a transaction, an address or a coin of a wallet (BIP-329). A frozen coin stays frozen."
    static let result = "As tapkit wallet labels import --json."
    private static let object = Parameter.text(
        "target", "A transaction's id, an address, or a coin (TXID:INDEX)."
    ).required
    private static let text = Parameter.text(
        "text", "The label: 1 to \(longest) characters, which replace the present ones."
    )
    .required
    static let parameters: [any ParameterDescription] = [WalletTarget.wallet, object, text, Parameter.network]

    /// Spec: BIP-329 recommends it.
    private static let longest = 255

    private let target: WalletTarget
    private let object: String
    private let text: String

    init(_ arguments: Arguments) throws {
        target = try WalletTarget(arguments)
        object = try arguments.required(Self.object)
        text = try arguments.required(Self.text)
        guard (1...Self.longest).contains(text.count) else {
            throw RPCFault(.invalidParams, "The parameter text must have 1 to \(Self.longest) characters.")
        }
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        let (manager, wallet) = (call.manager, try target.toLook(call.manager))
        let label = try label(on: wallet.stored.network)
        // Another program may have labelled it for one of its wallets.
        let present = try manager.labels(of: wallet)
            .filter { $0.kind == label.kind && $0.reference == label.reference }
            .map { Label($0.kind, $0.reference, text: text, origin: $0.origin) }
        return ServiceAnswer(
            ImportedLabelsDocument(
                try await manager.importLabels(present.isEmpty ? [label] : present, to: wallet),
                for: wallet.stored.name))
    }

    private func label(on network: Network) throws -> Label {
        if let id = TransactionID(parsing: object) { return Label(.transaction, id.description, text: text) }
        if let coin = Outpoint(parsing: object) { return Label(.output, coin.description, text: text) }
        return Label(.address, try Address(argument: object, on: network).description, text: text)
    }
}
