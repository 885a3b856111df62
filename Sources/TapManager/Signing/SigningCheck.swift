/// One reason to refuse, warn or inform before something is signed.
///
/// The built-in checks are in `Checks`, one in each file. A program gives its own to a `SigningPolicy`: they can
/// refuse or warn about more, but never about less.
///
/// ```swift
/// struct SmallPaymentsOnly: SigningCheck {
///     func findings(in context: SigningContext) -> [Finding] {
///         guard let sent = context.review?.fee.sent, sent.satoshis > 1_000_000 else { return [] }
///         return [.policy(.refusal, .transaction, "\(sent.satoshis) sat are more than one may send at once.")]
///     }
/// }
/// ```
public protocol SigningCheck: Sendable {
    /// What it finds; empty if nothing is wrong. Called for each plan, and again for the same transaction if another
    /// card signs or signing continues after an interruption, so do not count calls as payments. Takes time linear in
    /// the number of inputs and outputs.
    func findings(in context: SigningContext) -> [Finding]
}
