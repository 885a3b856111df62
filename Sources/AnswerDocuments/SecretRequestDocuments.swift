import ExplainedErrors
import TapManager

/// Which card gets a new CVC, as a program shows it to its user.
package struct NewCVCRequestDocument: Encodable {
    let card: ReaderDocument.Card
    /// Why it is asked for again.
    let refusal: ProblemDocument?

    /// A request, with what was wrong with the CVC that was given before.
    package init(_ card: CardAtHand, after refusal: (any ExplainedError)?) {
        self.card = ReaderDocument.Card(card)
        self.refusal = refusal.map { ProblemDocument(explaining: $0) }
    }
}

/// What a backup key is needed for, as a program shows it to its user.
package struct BackupKeyRequestDocument: Encodable {
    /// What it is needed for; the names do not change.
    let purpose: String
    /// Why it is asked for again.
    let refusal: ProblemDocument?

    /// A request, with what was wrong with the key that was given before.
    package init(_ purpose: BackupPurpose, after refusal: (any ExplainedError)?) {
        self.purpose =
            switch purpose {
            case .check: "check"
            case .showKey: "show_key"
            case .sign: "sign"
            }
        self.refusal = refusal.map { ProblemDocument(explaining: $0) }
    }
}
