import AnswerDocuments
import Bitcoin
import ExplainedErrors
import TapManager

/// `card.prove`: the one card, with its proof.
struct CardProveMethod: ServiceMethod {
    static let name = "card.prove"
    static let summary = "What the one card is, as it proves and reports it without its CVC."
    static let result = "As tapkit status --json."
    static let parameters: [any ParameterDescription] = CardArguments.parameters + [Parameter.network]

    private let options: CardArguments
    private let network: Network?

    init(_ arguments: Arguments) throws {
        options = try CardArguments(arguments)
        network = try arguments.network()
    }

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        try await call.withCards(options) { manager in
            let card = try await manager.card(options.choice, for: network)
            return ServiceAnswer(try await Self.status(of: card, manager, network))
        }
    }

    /// A card's proof, with what the store has about it.
    static func status(
        of card: CardAtHand, _ manager: CardManager, _ network: Network?
    ) async throws -> StatusDocument {
        let proof = try await manager.prove(card)
        let (unfinished, errors) = manager.unfinished(of: proof.status.ident)
        var problems = errors.map(ProblemDocument.init(explaining:))
        var unsent: [TransactionListing] = []
        do { if proof.verdict.isAccepted { unsent = try await manager.unsentSweeps(of: card) } } catch let error
            as any ExplainedError
        { problems.append(ProblemDocument(explaining: error)) }
        var due: [StoredWallet] = []
        do { due = try manager.walletsWithDueDrill() } catch {
            problems.append(ProblemDocument(explaining: error))
        }
        return try StatusDocument(
            card, proof, on: network, unfinished: unfinished.map(UnfinishedFlowDocument.init(wordless:)),
            unsent: unsent, dueDrills: due, problems: problems)
    }
}
