import ArgumentParser
import Bitcoin
import ExplainedErrors
import TapManager
import TapProtocol

/// `tapkit verify`: every proof a card can give.
struct VerifyVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Every proof that the card can give, one line each.",
        discussion: """
            Without a CVC: certificates, the card's own key, a SATSCARD's sealed slot. With --cvc-file also the keys for \
            money, each by a signature over random bytes: a SATSCARD's opened slots; a TAPSIGNER's account and, moved to m \
            for a moment, its master key. What nothing proves is listed as not proven.
            """)

    @OptionGroup var options: GlobalOptions

    private struct Answer: Encodable {
        let proofs: [ProofDocument]
        let genuine: Bool
        let root: String
        let product: String
        let ident: String
    }

    func run() async throws {
        let provesKeys = options.cvcOptions.isGiven
        let invocation = try Invocation(options, to: provesKeys ? .changing : .looking, usesCVC: provesKeys)
        let card = try await invocation.card(isForLooking: true)
        let report = try await invocation.during {
            try await invocation.manager.verify(card, provingKeys: provesKeys)
        }
        let answer = Answer(
            proofs: report.proofs.map(ProofDocument.init),
            genuine: report.verdict?.isGenuine ?? false, root: report.verdict?.rootName ?? "none",
            product: card.status.product.rawValue, ident: card.ident.description)
        if options.isJSON {
            guard report.holds else { throw failure(report) }
            JSONAnswer.write(answer)
        } else {
            say(report, card)
            guard report.holds else { throw failure(report) }
        }
    }

    private func say(_ report: CardVerification, _ card: CardAtHand) {
        let mark = card.isSimulated || report.verdict?.isSimulator == true ? "SIMULATED " : ""
        options.console.say("\(mark)\(card.status.product.displayName) \(card.ident)")
        for proof in report.proofs {
            let mark = proof.isProven ? "proven    " : proof.holds ? "not proven" : "FAILED    "
            options.console.say("  \(mark) \(proof.name): \(proof.detail)")
        }
        guard report.holds else { return }
        options.console.say(
            report.verdict?.isGenuine == true ? "Genuine." : "Not genuine, but certified by a root that you accept.")
    }

    private func failure(_ report: CardVerification) -> Failure {
        let failed = report.proofs.filter { !$0.holds }
        let lines = failed.map { "\($0.name): \($0.detail)" }
        // A chain that is sound and leads to another root is no forgery, but no genuine card either.
        let code: ErrorCode =
            report.lacksOnlyRoot ? .notGenuine : failed.allSatisfy { $0.name == "tampered" } ? .tampered : .badProof
        var failure = Failure(code, lines: lines)
        failure.proofs = report.proofs
        return failure
    }
}
