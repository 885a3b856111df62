import AnswerDocuments
import Bitcoin
import ByteCodec
import TapManager
import TapProtocol

/// A call that is being carried out.
struct ServiceCall: Sendable {
    /// `nil` for a notification.
    let id: RPCIdentifier?
    let client: ServiceClient
    let processor: ServiceProcessor

    /// A manager for what needs no card; the person at this machine is asked.
    var manager: CardManager { processor.manager.asking(CallInteraction(self, asking: .desk)) }

    /// A manager for what needs no card.
    func manager(asking side: CallInteraction.Side) -> CardManager {
        processor.manager.asking(CallInteraction(self, asking: side))
    }

    /// Does something with cards when it is the client's turn at the readers.
    /// - Parameters:
    ///   - options: which card, on which reader, and how long to wait for it.
    ///   - spending: what is signed, if a lease may cover it.
    func withCards<Result: Sendable>(
        _ options: CardArguments, spending: LeasedSpending? = nil,
        _ task: @Sendable (CardManager) async throws -> Result
    ) async throws -> Result {
        try await withCards(options, asking: CallInteraction(self, asking: options.asks, spending: spending), task)
    }

    /// The same, with somebody else asked.
    func withCards<Result: Sendable>(
        _ options: CardArguments, asking interaction: any Interaction,
        _ task: @Sendable (CardManager) async throws -> Result
    ) async throws -> Result {
        let manager = processor.manager.asking(
            interaction, patience: options.patience, on: options.reader
        ) { card, event in
            client.tell("progress", naming(FlowEventDocument(event, of: card)))
        }
        let want = options.reader.map(CardTurns.Want.reader) ?? .all
        return try await processor.turns.during(want, of: client.number) { try await task(manager) }
    }

    /// A document about this call: with the member `call`, its identifier.
    func naming(_ document: some Encodable) -> JSONText {
        let text = JSONDocument.answer(document)
        // An object, whose first member is ours.
        let call = "{\"call\":\((id ?? .null).json.line)"
        return .verbatim(text == "{}" ? call + "}" : call + "," + text.dropFirst())
    }
}
