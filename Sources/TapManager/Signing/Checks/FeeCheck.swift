import Bitcoin

/// Fees that are far from the usual.
///
/// Spec: threats, "The PSBT lies".
struct FeeCheck: SigningCheck {
    /// Warn about a fee above this share of the amount sent, in percent.
    static let highShare: Int64 = 5
    /// Warn about a fee above this, in satoshis.
    static let highFee: Int64 = 50_000
    /// Warn about a fee rate above this, in satoshis for each virtual byte.
    static let highRate: Int64 = 500

    func findings(in context: SigningContext) -> [Finding] {
        guard let summary = FeeSummary(context) else { return [] }
        let fee = summary.fee.satoshis
        var findings: [Finding] = []
        if fee > Self.highFee {
            findings.append(
                Finding(.warning, .feeHigh, .transaction, "The fee is \(fee) sat, more than \(Self.highFee) sat."))
        } else if summary.sent.satoshis > 0, fee * 100 > summary.sent.satoshis * Self.highShare {
            findings.append(
                Finding(
                    .warning, .feeHigh, .transaction,
                    "The fee of \(fee) sat is more than \(Self.highShare)% of the \(summary.sent.satoshis) sat sent."))
        }
        if fee > Self.highRate * summary.virtualSize {
            findings.append(
                Finding(
                    .warning, .feeRateHigh, .transaction,
                    "The fee rate of \(summary.rateText) sat/vB is above \(Self.highRate) sat/vB."))
        } else if fee < summary.virtualSize {
            findings.append(
                Finding(
                    .warning, .feeRateLow, .transaction,
                    "The fee rate of \(summary.rateText) sat/vB is below 1 sat/vB: many nodes will not relay it."))
        }
        return findings
    }
}
