import SmartCard

/// An event at a reader, as `tapkit readers --watch` shows it.
struct EventDocument: Encodable {
    let event: String
    let spec: String
    /// A card that was laid down, when it is a tap card.
    private(set) var card: ReaderDocument.Card?
    /// Why a card that was laid down cannot be used.
    private(set) var problem: String?

    /// An event; of a card that was laid down, it is found out which one it is.
    init(_ event: ReaderEvent, finder: CardFinder) async {
        switch event {
        case .readerAttached(let spec): (self.event, self.spec) = ("reader_attached", TerminalText.neutralized(spec))
        case .readerDetached(let spec): (self.event, self.spec) = ("reader_detached", TerminalText.neutralized(spec))
        case .cardRemoved(let spec): (self.event, self.spec) = ("card_removed", TerminalText.neutralized(spec))
        case .cardInserted(let spec):
            (self.event, self.spec) = ("card_inserted", TerminalText.neutralized(spec))
            guard let reader = finder.reader(spec: spec) else { return }
            do throws(Failure) { card = try await finder.look(at: reader).map(ReaderDocument.Card.init) } catch {
                problem = TerminalText.neutralized(error.message)
            }
        }
    }

    /// For people.
    var line: String {
        let what = event.split(separator: "_").joined(separator: " ")
        return ([what, spec] + [card?.words, problem].compactMap(\.self)).joined(
            separator: "  ")
    }
}
