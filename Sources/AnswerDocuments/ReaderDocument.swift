import ExplainedErrors
import SmartCard
import TapManager
import TextLayout

/// A reader and what is on it, as a list of readers has it.
package struct ReaderDocument: Encodable {
    /// A tap card on the reader.
    package struct Card: Encodable {
        /// `tapsigner`, `satscard` or `satschip`.
        package let product: String
        let ident: String
        let simulated: Bool?
        /// The name that the user gave it.
        let name: String?
        /// How people tell it from other cards: by its name, else by its ident. Not part of the JSON.
        package let label: String

        private enum CodingKeys: String, CodingKey { case product, ident, simulated, name }

        init(_ card: CardAtHand) {
            product = card.status.product.rawValue
            ident = card.ident.description
            simulated = card.isSimulated ? true : nil
            name = card.name
            label = card.label
        }
    }

    /// The reader's name as `--reader` takes it, made harmless.
    package let spec: String
    let name: String
    let backend: String
    /// The card on it that can be used.
    package let card: Card?
    /// Why the reader, or what is on it, cannot be used.
    package let problem: String?
    /// The same for programs: an `ErrorCode`.
    let problemCode: String?
    /// What to do about it.
    package let hint: String?

    /// A reader with the card on it, or with what keeps it, or the card, from being used.
    /// - Parameters:
    ///   - card: `nil`: none, or one that cannot be used.
    ///   - problem: `nil`: none.
    package init(_ reader: any CardReader, card: CardAtHand?, problem: ProblemDocument? = nil) {
        spec = TerminalText.neutralized(reader.spec)
        name = TerminalText.neutralized(reader.name)
        backend = reader.kind.rawValue
        self.card = card.map(Card.init)
        (self.problem, problemCode, hint) = (problem?.message, problem?.code, problem?.hint)
    }
}

/// What goes wrong beside the answer: readers of one kind cannot be listed, one of them or the local store cannot be
/// used.
package struct ProblemDocument: Encodable {
    let code: String
    /// What is wrong, made harmless.
    package let message: String
    /// What to do about it, made harmless; `nil`: nothing is known to help.
    package let hint: String?

    /// A problem in a front end's words.
    /// - Parameter hint: empty, if there is nothing to add.
    package init(code: ErrorCode, message: String, hint: String) {
        self.code = code.rawValue
        self.message = TerminalText.neutralized(message)
        self.hint = hint.isEmpty ? nil : TerminalText.neutralized(hint)
    }
}
