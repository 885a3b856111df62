import Bitcoin
import FrontEndText
import TapManager
import Terminal

/// A transaction as it is shown everywhere: payees first, warnings last.
struct ReviewText {
    private let review: TransactionReview
    private let findings: [Finding]
    private let now: UnixTime

    /// - Parameter now: decides whether a lock time has passed.
    init(_ review: TransactionReview, findings: [Finding], now: UnixTime = .now()) {
        self.review = review
        self.findings = findings
        self.now = now
    }

    /// Payees, change, fee, totals, signatures, notices, warnings.
    var screen: [ScreenLine] {
        payees + (changeLines + sums).map { ScreenLine($0) } + notices.map { ScreenLine("Note: \($0)") } + alarms
    }

    /// The same as plain text, line by line.
    var lines: [String] { screen.map(\.text) }

    /// What the signer's keys prove, after a review that only had the file's claims.
    var newsOfChange: [String] { changeLines + [sums[1]] }

    // MARK: Where the money goes

    private var payees: [ScreenLine] {
        let payments = review.payments
        guard !payments.isEmpty else {
            // Only keys prove that nobody else is paid.
            if case .wallet(let name) = review.evidence {
                return [ScreenLine("Everything goes to the wallet “\(name)”, according to its descriptors.", .strong)]
            }
            let word =
                review.doubtfulChange.isEmpty
                ? ": everything comes back to you" : ", if all of the claimed change comes back to you"
            return [ScreenLine("You pay nobody\(word).", .strong)]
        }
        return payments.map { index, output in
            if case .nullData = ScriptTemplate(output.scriptPubKey), output.amount == .zero {
                return ScreenLine("You store data on the chain: \(target(output))\(mark(index))")
            }
            return ScreenLine("You pay \(text(output.amount)) to \(target(output))\(mark(index))", .strong)
        }
    }

    private func target(_ output: TransactionReview.Output) -> String {
        guard let address = output.address else { return "script \(output.scriptPubKey.abbreviated)" }
        return "\(address)" + (review.labels[address].flatMap(LabelText.quoted).map { " \($0)" } ?? "")
    }

    /// Outputs without findings need no number.
    private func mark(_ index: Int) -> String {
        findings.contains { $0.subject == .output(index) && $0.isShown } ? " (output \(index))" : ""
    }

    /// The maximum number of change paths that are listed.
    private static let listedPaths = 3

    private var changeLines: [String] {
        var lines: [String] = []
        let change = review.change.map(\.output)
        if let sum = Amount.sum(change.lazy.map(\.amount)), !change.isEmpty {
            let paths = change.compactMap(\.changePath).map(\.description)
            let more = paths.count > Self.listedPaths ? " and \(paths.count - Self.listedPaths) more" : ""
            let list = paths.prefix(Self.listedPaths).joined(separator: ", ") + more
            if case .wallet(let name) = review.evidence {
                lines.append("Change: \(text(sum)) back to the wallet “\(name)” (its descriptors: \(list))")
            } else {
                lines.append("Change: \(text(sum)) back to this wallet (proven: \(list))")
            }
        }
        return lines
            + review.doubtfulChange.map { index, output in
                let path = (output.changePath ?? output.claimedPath).map { " (\($0))" } ?? ""
                let word = review.evidence == .nothing ? "as the file claims" : "but not proven"
                return "Change, \(word): \(text(output.amount)) to \(target(output))\(path)\(mark(index))"
            }
    }

    // MARK: Sums

    private var sums: [String] {
        let fee = review.fee
        let share =
            review.feeShare.map { ", \($0 > 0 ? "\($0 / 10).\($0 % 10)%" : "under 0.1%") of what you pay" } ?? ""
        let word = review.evidence == .nothing && !review.doubtfulChange.isEmpty ? ", as the file claims" : ""
        return [
            "Fee: \(fee.fee.satoshis) sat, \(fee.rateText) sat/vB\(share)",
            "Total leaving the wallet\(word): \(review.leaving.map(text) ?? "nothing; others add money")",
            spent, signatures,
        ] + SpendingPathsText(review, now: now).lines
    }

    private var spent: String {
        let inputs = review.inputs
        let unproven = inputs.count { !$0.isProven }
        let isOne = inputs.count == 1
        let proof =
            switch unproven {
            case 0: isOne ? "amount proven" : "amounts proven"
            case inputs.count: isOne ? "amount only claimed" : "amounts only claimed"
            default: "\(unproven) of the amounts only claimed"
            }
        let line = "Spends \(inputs.count.counted("input")), \(text(review.spent)) (\(proof))"
        let foreign = inputs.filter { $0.path == nil }
        guard review.evidence != .nothing, !review.areInputsDerived, !foreign.isEmpty, foreign.count < inputs.count
        else { return line }
        let sum = Amount.sum(foreign.lazy.map(\.amount)) ?? .zero
        return line + "; \(foreign.count) of them, \(text(sum)), not known to be this wallet's"
    }

    /// Those that are missing are those of one path.
    private var signatures: String {
        let other = review.isAnotherPathOpen ? "; another spending path is open, too" : ""
        return Self.signatures(review.tally) + other
    }

    /// Who has signed, and whose signatures are missing.
    static func signatures(_ tally: SignatureTally) -> String {
        let signed = tally.signedBy.isEmpty ? "" : ", signed by \(FindingText.list(tally.signedBy))"
        guard !tally.isComplete else { return "Signatures: complete\(signed)" }
        let there = tally.present == 0 ? "none yet" : "\(tally.present) of \(tally.present + tally.missing)"
        guard tally.missing > 0 else { return "Signatures: \(there)\(signed); a script is unknown to tapkit" }
        let choice = tally.choiceCount.map { "any \($0) of " } ?? ""
        let able = tally.canSign.isEmpty ? "" : ", from \(choice)\(FindingText.list(tally.canSign))"
        return "Signatures: \(there)\(signed); \(tally.missing.counted("signature")) missing\(able)"
    }

    // MARK: Findings

    private var notices: [String] {
        FindingText.lines(
            findings.filter { finding in
                finding.severity == .notice && finding.isShown
                    && (finding.code != .lockTime || !review.isLockOpen(at: now))
            })
    }

    /// Warnings, then refusals.
    private var alarms: [ScreenLine] {
        warningLines.map { ScreenLine($0, .alarm) }
            + FindingText.lines(findings.filter { $0.severity == .refusal }).map {
                ScreenLine("tapkit REFUSES to sign: \($0)", .alarm)
            }
    }

    /// The warnings, with what each could cost.
    var warningLines: [String] { warnings(findings.filter { $0.severity == .warning }) }

    /// Warnings with what each could cost, and the code that accepts it.
    func warnings(_ findings: [Finding]) -> [String] {
        withCosts(findings, then: { $0.needsAcceptance ? " [\($0.rawValue)]" : "" }).map { "WARNING: \($0)" }
    }

    /// Findings with what each could cost, and those that are not shown with what they could cost together.
    /// - Parameters:
    ///   - words: turns a finding into text.
    ///   - end: what follows the cost of findings with a code.
    func withCosts(
        _ findings: [Finding], as words: (Finding) -> String = \.message,
        then end: (FindingCode) -> String = { _ in "" }
    ) -> [String] {
        FindingText.lines(findings, stake: review.stake) {
            words($0) + cost(of: [$0]) + end($0.code)
        } rest: {
            FindingText.more($0) + "." + cost(of: $0)
        }
    }

    /// What findings of one kind could cost together, after a space; empty if that is unknown.
    private func cost(of alike: [Finding]) -> String {
        switch alike.first?.code {
        case .feeRateLow, .outputDust: return " No money is at stake."
        case .amountNotProven:
            return alike.count == 1
                ? " At stake: the actual value of this input." : " At stake: the actual values of these inputs."
        default:
            let stakes = alike.compactMap(review.stake)
            guard !stakes.isEmpty, let sum = Amount.sum(stakes) else { return "" }
            return " At stake: \(text(sum))."
        }
    }

    private func text(_ amount: Amount) -> String { amount.text(on: review.network) }
}

extension Finding {
    /// Whether it is shown: nearly all transactions can be replaced, and that costs nobody anything.
    fileprivate var isShown: Bool { code != .replaceable }
}
