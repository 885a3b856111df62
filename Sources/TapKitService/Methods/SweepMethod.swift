import AnswerDocuments
import Bitcoin
import TapManager
import TapProtocol

/// `sweep`: empties slots of a SATSCARD.
struct SweepMethod: ServiceMethod {
    static let name = "sweep"
    static let summary =
        "Send everything in a SATSCARD's unsealed slots to an address, signed by the card. A sealed slot is unsealed "
        + "permanently, once you agree to the sweep. The same call continues an interrupted one."
    static let result =
        "As tapkit sweep --json; incomplete: why signatures are missing; "
        + "not_sent: why no server took it."
    private static let to = Parameter.text("to", "The address that gets everything.").required
    private static let slot = Parameter.number("slot", 1...10, "Only this slot, even if it is sealed.")
    private static let all = Parameter.flag("all", "Whether every slot is emptied, including the sealed one.")
    private static let unconfirmed = Parameter.flag("unconfirmed", "Whether unconfirmed coins are swept, too.")
    private static let send = Parameter.flag("broadcast", "Whether the transaction is sent at once.")
    static let parameters: [any ParameterDescription] =
        [to, slot, all, unconfirmed, send] + FeeArguments.parameters + [Parameter.network] + CardArguments.parameters

    private let destination: String
    private let slots: SweepOrder.Slots
    private let takesUnconfirmed: Bool
    private let isSent: Bool
    private let fee: FeeChoice
    private let network: Network?
    private let options: CardArguments

    init(_ arguments: Arguments) throws {
        destination = try arguments.required(Self.to)
        let all = try arguments.optional(Self.all) ?? false
        if let number = try arguments.optional(Self.slot) {
            guard !all, let slot = SlotNumber(forPeople: number) else {
                throw RPCFault(.invalidParams, "Give slot or all, not both.")
            }
            slots = .one(slot)
        } else {
            slots = all ? .all : .opened
        }
        takesUnconfirmed = try arguments.optional(Self.unconfirmed) ?? false
        isSent = try arguments.optional(Self.send) ?? false
        fee = try FeeArguments(arguments).choice
        network = try arguments.network()
        options = try CardArguments(arguments)
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        let report = try await call.withCards(options) { manager in
            let card = try await manager.card(options.choice, for: network)
            let order = SweepOrder(
                slots, to: try Address(argument: destination, on: try card.network(asked: network)), fee: fee,
                takesUnconfirmed: takesUnconfirmed, isSent: isSent)
            var generator = SystemRandomNumberGenerator()
            return try await manager.sweep(card, order, using: &generator)
        }
        switch report.sending {
        case .none: return ServiceAnswer(SignedDocument(report.signing, sentTo: nil))
        case .sent(let server): return ServiceAnswer(SignedDocument(report.signing, sentTo: server))
        case .failed(let error):
            if case SendingError.sentButNotKept = error { throw error }
            // What is signed is in the answer, so that nothing is lost with it.
            return ServiceAnswer(SignedDocument(report.signing, sentTo: nil, notSent: error))
        }
    }
}
