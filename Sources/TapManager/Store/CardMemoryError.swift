import ExplainedErrors
import TapProtocol

/// Why a remembered card is not found by the beginning of its ident, or not called what it should be.
package enum CardMemoryError: Error, Sendable, Equatable {
    /// None begins so; with those that are remembered.
    case none(String, known: [CardIdent])
    /// Several do; with those that are remembered.
    case several(String, known: [CardIdent])
    /// What it should be called is no name: it is too long, or has characters that no name should have.
    case badName(String)
}

extension CardMemoryError: ExplainedError {
    /// What was given names no card.
    package var code: ErrorCode { .badArgument }

    /// What happened.
    package var message: String {
        switch self {
        case .none(let text, _): "The store knows no card “\(text)”."
        case .several(let text, _): "Several cards begin with “\(text)”."
        case .badName(let name): "“\(name)” is not a name for a card."
        }
    }

    /// The cards that can be named; empty when there is none.
    package var remedy: String {
        switch self {
        case .none(_, let known), .several(_, let known):
            known.isEmpty ? "" : "It knows \(known.map(\.text).joined(separator: ", "))."
        case .badName:
            "Use at most \(CardRecord.maximumNameLength) letters, digits, spaces and signs, without quotation marks."
        }
    }
}
