import Bitcoin

/// Outputs that are claimed to pay back to us.
struct ChangeCheck: SigningCheck {
    func findings(in context: SigningContext) -> [Finding] {
        context.changes.enumerated().compactMap { index, verdict in
            let subject = Finding.Subject.output(index)
            switch verdict {
            case .foreign, .proven(_, unusual: nil): return nil
            case .proven(let path, let unusual?):
                return Finding(
                    .warning, .changePathUnusual, subject,
                    "it is claimed to be change, and the card has its key at \(path.path), but \(unusual). Your wallet "
                        + "may not find it: treat it as a payment, or write down the path.")
            case .claimed(_, let reason):
                return Finding(.warning, .changeNotProven, subject, "it is claimed to be change, but \(reason).")
            case .unreachable(let path):
                return Finding(
                    .warning, .changeNotProven, subject,
                    "it is claimed to be change at \(path), where the card has no key. Treat it as a payment.")
            case .lie(let reason):
                return Finding(.refusal, .changeMismatch, subject, "it is claimed to be change, but \(reason).")
            case .otherCosigners(let reason):
                return Finding(.refusal, .changeCosignersDiffer, subject, "it is claimed to be change, but \(reason).")
            }
        }
    }
}
