import AnswerDocuments
import SmartCard
import TapManager
import TextLayout

extension ReaderDocument {
    /// A reader and what is on it, with the terminal's hint if it cannot be used.
    init(_ reader: any CardReader, _ look: Result<CardAtHand?, CardSearchError>) {
        switch look {
        case .success(let card): self.init(reader, card: card)
        case .failure(let error): self.init(reader, card: nil, problem: ProblemDocument(Failure(error)))
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

extension ReaderDocument.Card {
    /// For the user.
    var words: String { "\(product.uppercased()) \(label)" }
}

extension ProblemDocument {
    /// A failure as a problem that ends nothing.
    init(_ failure: Failure) { self.init(code: failure.code, message: failure.message, hint: failure.hint) }

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
