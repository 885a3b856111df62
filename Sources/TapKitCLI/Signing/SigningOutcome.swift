import TapManager

/// How a signing ended, and what else is told of it.
struct SigningOutcome {
    var report: SigningReport
    /// Whether the key that signed is in this machine's memory, and in no card.
    var isHot = false
    /// The chain server that took the transaction; `nil`: it was not sent.
    var sentTo: String?

    /// Whether a simulated card signed.
    var isSimulated: Bool { report.signers.contains(where: \.isSimulated) }
    /// What is signed.
    var result: SigningResult { report.result }
}
