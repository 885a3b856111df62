import AnswerDocuments
import Bitcoin
import TapManager

/// `slots`: a SATSCARD's slots.
struct SlotsMethod: ServiceMethod {
    static let name = "slots"
    static let summary = "Every slot of a SATSCARD, as far as the card proves it without its CVC."
    static let result = "As tapkit slots --json."
    private static let balance = Parameter.flag(
        "balance", "Whether the chain server is asked what the slots hold; it learns that they belong together.")
    static let parameters: [any ParameterDescription] = CardArguments.parameters + [Parameter.network, balance]

    private let options: CardArguments
    private let network: Network?
    private let asksBalance: Bool

    init(_ arguments: Arguments) throws {
        options = try CardArguments(arguments)
        network = try arguments.network()
        asksBalance = try arguments.optional(Self.balance) ?? false
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        let (card, slots) = try await call.withCards(options) { manager in
            let card = try await manager.card(options.choice, for: network)
            return (card, try await manager.slots(of: card, network: network))
        }
        // The reader is free while a server is asked.
        let manager = call.manager(asking: options.asks)
        let holdings =
            asksBalance ? try await manager.holdings(of: slots, on: try card.network(asked: network)) : nil
        return ServiceAnswer(
            SlotsDocument(slots, holdings, unsent: (try? manager.unsentSweeps(of: slots)) ?? [], of: card))
    }
}
