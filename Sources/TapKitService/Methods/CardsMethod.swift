import AnswerDocuments
import Bitcoin
import ExplainedErrors
import TapManager

/// `cards`: every card on a reader, with its proof.
struct CardsMethod: ServiceMethod {
    static let name = "cards"
    static let summary = "Every card on a reader, each proven without its CVC."
    static let result = "cards: each as tapkit status --json, or problem: why it could not be proven, with its ident."
    static let parameters: [any ParameterDescription] = CardArguments.parameters + [Parameter.network]

    private struct Document: Encodable {
        struct Card: Encodable {
            let ident: String
            let status: StatusDocument?
            let problem: ProblemDocument?
        }

        let cards: [Card]
    }

    private let options: CardArguments
    private let network: Network?

    init(_ arguments: Arguments) throws {
        options = try CardArguments(arguments)
        network = try arguments.network()
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        try await call.withCards(options) { manager in
            var cards: [Document.Card] = []
            for card in try await manager.cards(options.choice) {
                do {
                    let status = try await CardProveMethod.status(of: card, manager, network)
                    cards.append(.init(ident: card.ident.text, status: status, problem: nil))
                } catch let error as any ExplainedError {
                    cards.append(
                        .init(ident: card.ident.text, status: nil, problem: ProblemDocument(explaining: error)))
                }
            }
            return ServiceAnswer(Document(cards: cards))
        }
    }
}
