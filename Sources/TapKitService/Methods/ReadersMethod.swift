import AnswerDocuments
import TapManager

/// `readers`: the readers and what is on them.
struct ReadersMethod: ServiceMethod {
    static let name = "readers"
    static let summary = "The readers and the cards on them, which are looked at: this waits for tasks with cards."
    static let result = "As tapkit readers --json."

    init(_ arguments: Arguments) {}

    func run(_ call: ServiceCall) async throws -> ServiceAnswer {
        let manager = call.manager
        return try await call.processor.turns.during(.all, of: call.client.number) {
            let (readers, problems) = manager.readers()
            let looks = await manager.cards(on: readers)
            // The next task must not find the reader busy.
            for case .success(let card?) in looks { await card.card.disconnect() }
            let documents = zip(readers, looks).map { reader, look in
                switch look {
                case .success(let card): ReaderDocument(reader, card: card)
                case .failure(let error):
                    ReaderDocument(reader, card: nil, problem: ProblemDocument(explaining: error))
                }
            }
            return ServiceAnswer(
                ReadersDocument(documents, problems: problems.map(ProblemDocument.init(explaining:))))
        }
    }
}
