import TapManager

/// A proof as JSON.
package struct ProofDocument: Encodable {
    let name: String
    /// False for a proof that failed.
    let ok: Bool
    /// Also false for what no command can prove, or was asked to prove.
    let proven: Bool
    let detail: String

    /// One line of the verification of a card.
    package init(_ line: CardVerification.Line) {
        name = line.name.description
        ok = line.holds
        proven = line.isProven
        detail = line.detail
    }
}
