import SmartCard
import TapManager

/// A reader and what lies on it, as `tapkit readers` shows it.
struct ReaderDocument: Encodable {
    struct Card: Encodable {
        let product: String
        let ident: String
        let simulated: Bool?

        init(_ card: CardAtHand) {
            product = card.status.product.rawValue
            ident = card.ident.description
            simulated = card.isSimulated ? true : nil
        }

        /// For people.
        var words: String { "\(product.uppercased()) \(ident)" + (simulated == true ? " (SIMULATED)" : "") }
    }

    let spec: String
    let name: String
    let backend: String
    let card: Card?
    /// Why the reader, or what lies on it, cannot be used.
    let problem: String?
    /// What to do about it.
    let hint: String?

    init(_ reader: any CardReader, _ look: Result<CardAtHand?, CardSearchError>) {
        spec = TerminalText.neutralized(reader.spec)
        name = TerminalText.neutralized(reader.name)
        backend = reader.kind.rawValue
        switch look {
        case .success(let access):
            card = access.map(Card.init)
            (problem, hint) = (nil, nil)
        case .failure(let failure):
            card = nil
            let document = ProblemDocument(Failure(failure))
            (problem, hint) = (document.message, document.hint)
        }
    }

    /// For people.
    var lines: [String] {
        let content = card?.words ?? problem ?? "no card"
        return [spec, "  \(content)"] + (hint.map { ["  → \($0)"] } ?? [])
    }
}

/// Why readers of one kind cannot be listed, or one of them cannot be used.
struct ProblemDocument: Encodable {
    let code: String
    let message: String
    let hint: String?

    init(_ failure: Failure) {
        code = failure.code.rawValue
        message = TerminalText.neutralized(failure.message)
        hint = failure.hint.isEmpty ? nil : TerminalText.neutralized(failure.hint)
    }

    /// For people.
    var lines: [String] { [message] + (hint.map { ["  → \($0)"] } ?? []) }
}
