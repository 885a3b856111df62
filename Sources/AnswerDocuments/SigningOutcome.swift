import TapManager

/// How signing ended, with what else is shown.
package struct SigningOutcome {
    /// The cards that signed, what was reviewed, and the PSBT that came of it.
    package var report: SigningReport
    /// Whether the key that signed was in this machine's memory, not in a card.
    package var isHot: Bool
    /// The chain server that accepted the transaction; `nil`: it was not sent.
    package var sentTo: String?

    /// A signing that ended with a report.
    /// - Parameter isHot: whether a key in this machine's memory signed, that of a backup.
    package init(report: SigningReport, isHot: Bool = false) {
        self.report = report
        self.isHot = isHot
    }

    /// Whether a simulated card signed.
    package var isSimulated: Bool { report.signers.contains(where: \.isSimulated) }
    /// The PSBT with the signatures, and the transaction if none is missing.
    package var result: SigningResult { report.result }
}
