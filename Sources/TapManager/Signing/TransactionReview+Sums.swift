import Bitcoin

/// Where a transaction's money goes, in total.
extension TransactionReview {
    /// Outputs that nothing claims to be change: the payees.
    package var payments: [(index: Int, output: Output)] {
        numbered.filter { !$0.output.isProvenChange && !isDoubtful($0.output) }
    }

    /// Outputs that the file or a key in them claims to be change, without proof.
    package var doubtfulChange: [(index: Int, output: Output)] { numbered.filter { isDoubtful($0.output) } }

    /// Outputs that are proven to pay back to us.
    package var change: [(index: Int, output: Output)] { numbered.filter(\.output.isProvenChange) }

    /// The sum of the inputs; only claimed if one of them is not proven.
    package var spent: Amount { Amount.sum(inputs.lazy.map(\.amount)) ?? .zero }

    /// What leaves the wallet, including the fee: our inputs minus our change. Without keys, as the file claims it;
    /// `nil` if more comes back than was ours.
    package var leaving: Amount? {
        let returning = evidence == .nothing ? doubtfulChange : change
        let own = inputs.filter { $0.path != nil }
        // In final inputs, no keys are listed.
        let isAllOurs = evidence == .nothing || areInputsDerived || own.isEmpty
        let spent = isAllOurs ? spent : Amount.sum(own.lazy.map(\.amount)) ?? .zero
        return Amount.sum(returning.lazy.map(\.output.amount)).flatMap { spent.subtracting($0) }
    }

    /// Whether every input is known to be ours, whatever the file says of its keys: the wallet's descriptors derive all of
    /// them, or they are coins in slots.
    package var areInputsDerived: Bool {
        switch evidence {
        case .wallet, .slots: true
        case .nothing, .keys: false
        }
    }

    /// The fee in tenths of a percent of what is paid, rounded; `nil` if nothing is paid.
    package var feeShare: Int64? {
        let paid = Amount.sum(payments.lazy.map(\.output.amount)) ?? .zero
        let base = (paid > .zero ? paid : fee.sent).satoshis
        guard base > 0 else { return nil }
        // 21 000 000 BTC in satoshis leave room for a factor of 4000.
        return (fee.fee.satoshis * 1_000 + base / 2) / base
    }

    /// The money that could be lost because of a finding; `nil` if none, or if the amount is unknown.
    package func stake(of finding: Finding) -> Amount? {
        switch (finding.code, finding.subject) {
        case (.changeNotProven, .output(let index)), (.walletChangeNotProven, .output(let index)),
            (.changePathUnusual, .output(let index)), (.outputUnspendable, .output(let index)),
            (.outputUnknown, .output(let index)), (.addressAlreadyPaid, .output(let index)):
            outputs.indices.contains(index) ? outputs[index].amount : nil
        case (.sighashNotAll, .input(let index, _)): inputs.indices.contains(index) ? inputs[index].amount : nil
        case (.feeHigh, _), (.feeRateHigh, _): fee.fee
        default: nil
        }
    }

    private var numbered: [(index: Int, output: Output)] { outputs.enumerated().map { (index: $0, output: $1) } }

    private func isDoubtful(_ output: Output) -> Bool {
        guard !output.isProvenChange else { return false }
        return output.changePath != nil || evidence == .nothing && output.claimedPath != nil
    }
}
