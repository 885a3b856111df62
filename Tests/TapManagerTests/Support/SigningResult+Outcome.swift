import TapManager

extension SigningResult {
    /// What a flow's signatures come to.
    init(_ outcome: SignFlow.Outcome) { self.init(outcome.psbt, added: outcome.added) }
}
