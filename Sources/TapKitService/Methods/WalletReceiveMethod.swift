import AnswerDocuments
import Bitcoin
import TapManager

/// `wallet.receive`: the next unused address.
struct WalletReceiveMethod: ServiceMethod {
    static let name = "wallet.receive"
    static let summary =
        "A wallet's next unused address. With verify, cards prove that they have its keys, for which their CVC is asked for."
    static let result =
        "As tapkit wallet receive --json, but with remarks, which are codes, instead of warnings: "
        + "may_be_used, far, may_be_emptied, as_of_last_sync, not_synced, keys_not_verified, not_registered."
    private static let index = Parameter.number(
        "index", 0...Int(Int32.max), "The address with this number; default: the next unused one.")
    private static let verify = Parameter.flag("verify", "Whether cards prove that they have its keys.")
    static let parameters: [any ParameterDescription] =
        [WalletTarget.wallet, index, verify, Parameter.network] + CardArguments.parameters

    private let target: WalletTarget
    private let index: Int?
    private let isProven: Bool
    private let network: Network?
    private let options: CardArguments

    init(_ arguments: Arguments) throws {
        target = try WalletTarget(arguments)
        index = try arguments.optional(Self.index)
        isProven = try arguments.optional(Self.verify) ?? false
        network = try arguments.network()
        options = try CardArguments(arguments)
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        let manager = call.manager(asking: options.asks)
        let wallet = try target.toUse(manager)
        let found = try await manager.receivingAddress(of: wallet, number: index.map(UInt32.init))
        let proof: AddressProof? =
            isProven
            ? try await call.withCards(options) { manager in
                try await manager.prove(
                    found, of: wallet, known: try manager.lastChain(of: wallet), by: options.choice, network: network)
            } : nil
        return ServiceAnswer(ReceivingDocument(found, of: wallet, proof: proof))
    }
}
