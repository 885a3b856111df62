import AnswerDocuments
import Bitcoin
import TapManager

/// `wallet.receive`: the next unused address.
struct WalletReceiveMethod: ServiceMethod {
    static let name = "wallet.receive"
    static let summary =
        "A wallet's next unused address. With verify, cards prove that they have its keys, for which their CVC is asked for."
    static let result =
        "As tapkit wallet receive --json; warnings are codes: may_be_used, far, may_be_emptied, "
        + "told_before, never_asked, keys_not_verified."
    private static let index = Parameter.number(
        "index", 0...Int(Int32.max), "The address with this number; default: the next unused one.")
    private static let verify = Parameter.flag("verify", "Whether cards prove that they have its keys.")
    static let parameters: [any ParameterDescription] =
        [Common.wallet, index, verify, Common.network] + CardArguments.parameters

    private let target: WalletTarget
    private let index: Int?
    private let isProven: Bool
    private let network: Network?
    private let options: CardArguments

    init(_ arguments: Arguments) throws {
        target = try WalletTarget(arguments)
        index = try arguments.optional(Self.index)
        isProven = try arguments.optional(Self.verify) ?? false
        network = try Common.network(arguments)
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
        var warnings = found.remarks.map(\.word)
        if let proof, proof.unprovenKeyCount > 0 { warnings.append("keys_not_verified") }
        return ServiceAnswer(ReceivingDocument(found, of: wallet, proof: proof, warnings: warnings))
    }
}

extension ReceivingAddress.Remark {
    /// For programs.
    fileprivate var word: String {
        switch self {
        case .mayBeUsed: "may_be_used"
        case .far: "far"
        case .mayBeEmptied: "may_be_emptied"
        case .toldBefore: "told_before"
        case .neverAsked: "never_asked"
        }
    }
}
