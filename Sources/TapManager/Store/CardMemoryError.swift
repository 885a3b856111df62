import ExplainedErrors
import TapProtocol

/// Why no remembered card is found by the beginning of its ident.
package enum CardMemoryError: Error, Sendable, Equatable {
    /// None begins so; with those that are remembered.
    case none(String, known: [CardIdent])
    /// Several do; with those that are remembered.
    case several(String, known: [CardIdent])
}

extension CardMemoryError: ExplainedError {
    /// What was given names no card.
    package var code: ErrorCode { .badArgument }

    /// What happened.
    package var message: String {
        switch self {
        case .none(let text, _): "The store knows no card “\(text)”."
        case .several(let text, _): "Several cards begin with “\(text)”."
        }
    }

    /// The cards that can be named; empty when there is none.
    package var remedy: String {
        switch self {
        case .none(_, let known), .several(_, let known):
            known.isEmpty ? "" : "It knows \(known.map(\.text).joined(separator: ", "))."
        }
    }
}
