import TapManager

/// How signing ended, with what else is shown.
struct SigningOutcome {
    var report: SigningReport
    /// Whether the key that signed was in this machine's memory, not in a card.
    var isHot = false
    /// The chain server that accepted the transaction; `nil`: it was not sent.
    var sentTo: String?

    /// Whether a simulated card signed.
    var isSimulated: Bool { report.signers.contains(where: \.isSimulated) }
    /// The result.
    var result: SigningResult { report.result }
}
