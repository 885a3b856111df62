import ExplainedErrors
import TapProtocol

/// Why no remembered card is found by the beginning of its ident, or a card cannot get a name.
package enum CardMemoryError: Error, Sendable, Equatable {
    /// None begins like this; with those that are remembered.
    case none(String, known: [CardIdent])
    /// Several begin like this; with those that are remembered.
    case several(String, known: [CardIdent])
    /// The new name is too long, or has characters that are not allowed.
    case badName(String)
}

extension CardMemoryError: ExplainedError {
    /// The argument is invalid.
    package var code: ErrorCode { .badArgument }

    /// What happened.
    package var message: String {
        switch self {
        case .none(let text, _): "The store has no card “\(text)”."
        case .several(let text, _): "Several cards begin with “\(text)”."
        case .badName(let name): "“\(name)” is not a valid name for a card."
        }
    }

    /// The remembered cards; empty if there is none.
    package var remedy: String {
        switch self {
        case .none(_, let known), .several(_, let known):
            known.isEmpty ? "" : "It has \(known.map(\.text).joined(separator: ", "))."
        case .badName:
            "Use at most \(CardRecord.maximumNameLength) letters, digits, spaces and symbols, without quotation marks."
        }
    }
}
