import SmartCard
import TapManager

/// A reader and what is on it, as `tapkit readers` shows it.
struct ReaderDocument: Encodable {
    struct Card: Encodable {
        let product: String
        let ident: String
        let simulated: Bool?
        /// The name that the user gave it.
        let name: String?
        private let label: String

        private enum CodingKeys: String, CodingKey { case product, ident, simulated, name }

        init(_ card: CardAtHand) {
            product = card.status.product.rawValue
            ident = card.ident.description
            simulated = card.isSimulated ? true : nil
            name = card.name
            label = card.label
        }

        /// For the user.
        var words: String { "\(product.uppercased()) \(label)" }
    }

    let spec: String
    let name: String
    let backend: String
    let card: Card?
    /// Why the reader, or what is on it, cannot be used.
    let problem: String?
    /// The same for programs: one of `tapkit help errors`.
    let problemCode: String?
    /// What to do about it.
    let hint: String?

    init(_ reader: any CardReader, _ look: Result<CardAtHand?, CardSearchError>) {
        spec = TerminalText.neutralized(reader.spec)
        name = TerminalText.neutralized(reader.name)
        backend = reader.kind.rawValue
        switch look {
        case .success(let access):
            card = access.map(Card.init)
            (problem, problemCode, hint) = (nil, nil, nil)
        case .failure(let failure):
            card = nil
            let document = ProblemDocument(Failure(failure))
            (problem, problemCode, hint) = (document.message, document.code, document.hint)
        }
    }

    /// Readers as a table for the user: how to name them, and what is on them.
    static func table(_ readers: [ReaderDocument]) -> Table {
        var table = Table([.init(title: "READER"), .init(title: "CARD", least: 24)])
        for reader in readers {
            table.add(
                [.whole(reader.spec), .prose(reader.card?.words ?? reader.problem ?? "no card")],
                notes: reader.hint.map { ["→ \($0)"] } ?? [])
        }
        return table
    }
}

/// What goes wrong beside the answer: readers of one kind cannot be listed, one of them or the local store cannot be
/// used.
struct ProblemDocument: Encodable {
    let code: String
    let message: String
    let hint: String?

    init(_ failure: Failure) {
        code = failure.code.rawValue
        message = TerminalText.neutralized(failure.message)
        hint = failure.hint.isEmpty ? nil : TerminalText.neutralized(failure.hint)
    }

    /// For the user.
    var lines: [String] { lines() }

    /// For the user.
    /// - Parameter consequence: what follows from it, as a sentence.
    func lines(_ consequence: String? = nil) -> [String] {
        [[message, consequence].compactMap(\.self).joined(separator: " ")] + remarks
    }

    /// What to do about it, on a line of its own.
    var remarks: [String] { hint.map { ["  → \($0)"] } ?? [] }
}
