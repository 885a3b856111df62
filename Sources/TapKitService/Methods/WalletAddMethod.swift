import AnswerDocuments
import Bitcoin
import ByteCodec
import TapManager

/// `wallet.add`: a wallet of one card, of descriptors, or of a registration.
struct WalletAddMethod: ServiceMethod {
    static let name = "wallet.add"
    static let summary =
        "Add a wallet: the account of the one card, which proves its keys; descriptors with public keys; or what a card "
        + "registered, with its registration."
    static let result = "As tapkit wallet add --json."
    private static let wallet = Parameter.text(
        "name", "The wallet's name: 1 to 64 characters. A registration has it already; if given, it must be the same.")
    private static let descriptor = Parameter.text(
        "descriptor", "An output descriptor, with receive and change branches or only the first; default: the card.")
    private static let change = Parameter.text(
        "change", "The descriptor of the change branch, if it is one of its own.")
    private static let registration = Parameter.text(
        "registration", "Instead of descriptors: the registration that wallet.register returns, with the wallet in it.")
    static let parameters: [any ParameterDescription] =
        [wallet, descriptor, change, Parameter.network] + CardArguments.parameters + [registration]

    private enum Source: Sendable {
        case card
        case descriptors([String])
        case registration(RegistrationText)
    }

    private let name: String
    private let source: Source
    private let network: Network?
    private let options: CardArguments

    init(_ arguments: Arguments) throws {
        let (descriptor, change) = (try arguments.optional(Self.descriptor), try arguments.optional(Self.change))
        guard descriptor != nil || change == nil else {
            throw RPCFault(.invalidParams, "The parameter change needs descriptor.")
        }
        if let text = try arguments.optional(Self.registration) {
            guard descriptor == nil else {
                throw RPCFault(.invalidParams, "Give either descriptor or registration.")
            }
            let registration = try RegistrationText(parsing: text)
            name = try arguments.optional(Self.wallet) ?? registration.name
            // It is part of what the card signed.
            guard name == registration.name else {
                throw RPCFault(
                    .invalidParams,
                    "The card registered this wallet as \(JSONText.string(registration.name).line): give it that name.")
            }
            source = .registration(registration)
        } else {
            name = try arguments.required(Self.wallet)
            source = descriptor == nil ? .card : .descriptors([descriptor, change].compactMap(\.self))
        }
        network = try arguments.network()
        options = try CardArguments(arguments)
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        let manager = call.manager(asking: options.asks)
        let added: CardManager.AddedWallet
        switch source {
        case .card:
            added = try await call.withCards(options) { manager in
                try await manager.addWallet(named: name, of: .card(options.choice), network: network)
            }
        case .descriptors(let texts):
            added = try await manager.addWallet(named: name, of: .parsing(texts), network: network)
        case .registration(let text): added = try await manager.addWallet(registeredAs: text, network: network)
        }
        return ServiceAnswer(WalletDocument(added))
    }
}
