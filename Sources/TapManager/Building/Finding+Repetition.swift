import Bitcoin
import ExplainedErrors

extension Finding {
    /// What stored transactions pay some payees: a warning for each transaction and address if a chain server was given
    /// it from here, or if others can complete and send it; else a notice: see `EarlierPayment.severity`. However many
    /// are signed alike, with nothing more known, they make one finding for each address: it names the newest, and
    /// counts the others.
    /// - Parameter earlier: newest first.
    static func repetitions(by earlier: [EarlierPayment], on network: Network) -> [Finding] {
        var alike: [Likeness: Int] = [:]
        for payment in earlier where payment.isOnlySigned {
            for payee in payment.payees { alike[Likeness(payment, payee), default: 0] += 1 }
        }
        var findings: [Finding] = []
        for payment in earlier {
            let (id, state) = (payment.summary.id, payment.state)
            guard payment.isOnlySigned else {
                findings += repetitions(payment.outputs, by: id, payment.severity, on: network) { _ in state }
                continue
            }
            let untold = payment.outputs.filter { alike[Likeness(payment, $0.scriptPubKey)] != nil }
            findings += repetitions(untold, by: id, payment.severity, on: network) { payee in
                let others = (alike[Likeness(payment, payee)] ?? 1) - 1
                return others > 0 ? "\(state), and by \(others.counted("older transaction")) like it" : state
            }
            for payee in payment.payees { alike[Likeness(payment, payee)] = nil }
        }
        return findings
    }

    /// What payments have in common of which one finding tells.
    private struct Likeness: Hashable {
        let payee: Script
        let severity: Severity
        let state: String

        init(_ payment: EarlierPayment, _ payee: Script) {
            (self.payee, severity, state) = (payee, payment.severity, payment.state)
        }
    }

    /// What a transaction pays some payees, in the order of their scripts.
    /// - Parameters:
    ///   - outputs: those that pay them.
    ///   - id: the transaction's, as it is named to the user.
    ///   - network: selects the form of addresses.
    ///   - state: what became of the transaction, worded to follow it.
    static func repetitions(
        _ outputs: [TransactionOutput], by id: TransactionID, _ severity: Severity, on network: Network,
        state: (Script) -> String
    ) -> [Finding] {
        let paid = Dictionary(grouping: outputs, by: \.scriptPubKey)
        return paid.sorted { $0.key.description < $1.key.description }.map { script, outputs in
            let amount = Amount.sum(outputs: outputs).map { "\($0.satoshis) sat" } ?? "an unknown amount"
            let payee = Address(scriptPubKey: script, network: network)?.description ?? "script \(script)"
            return Finding(
                severity, .addressAlreadyPaid, .transaction,
                "\(payee) is already paid \(amount) by the transaction \(id), \(state(script)).")
        }
    }
}

extension Transaction {
    /// The outputs that pay one of these payees.
    func payments(to payees: Set<Script>) -> [TransactionOutput] {
        outputs.filter { payees.contains($0.scriptPubKey) }
    }
}
