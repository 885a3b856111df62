import AnswerDocuments
import Bitcoin
import TapManager

/// `wallet.add`: a wallet of one card, or of descriptors.
struct WalletAddMethod: ServiceMethod {
    static let name = "wallet.add"
    static let summary =
        "Add a wallet: the account of the one card, which proves its keys, or descriptors with public keys."
    static let result = "As tapkit wallet add --json."
    private static let wallet = Parameter.text("name", "The wallet's name: 1 to 64 characters.").required
    private static let descriptor = Parameter.text(
        "descriptor", "An output descriptor, with receive and change branches or only the first; default: the card.")
    private static let change = Parameter.text(
        "change", "The descriptor of the change branch, if it is one of its own.")
    static let parameters: [any ParameterDescription] =
        [wallet, descriptor, change, Parameter.network] + CardArguments.parameters

    private let name: String
    private let descriptors: [String]
    private let network: Network?
    private let options: CardArguments

    init(_ arguments: Arguments) throws {
        name = try arguments.required(Self.wallet)
        let (descriptor, change) = (try arguments.optional(Self.descriptor), try arguments.optional(Self.change))
        guard descriptor != nil || change == nil else {
            throw RPCFault(.invalidParams, "The parameter change needs descriptor.")
        }
        descriptors = [descriptor, change].compactMap(\.self)
        network = try arguments.network()
        options = try CardArguments(arguments)
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        guard descriptors.isEmpty else {
            let manager = call.manager(asking: options.asks)
            return ServiceAnswer(
                WalletDocument(
                    try await manager.addWallet(named: name, of: .parsing(descriptors), network: network)))
        }
        return try await call.withCards(options) { manager in
            ServiceAnswer(
                WalletDocument(
                    try await manager.addWallet(named: name, of: .card(options.choice), network: network)))
        }
    }
}
