import AnswerDocuments
import ArgumentParser
import Bitcoin
import TapManager
import TapProtocol
import Terminal
import TextLayout

/// `tapkit verify`: every proof a card can give.
struct VerifyVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check every proof that the card can give.",
        discussion: """
            Without a CVC: the certificates, the card's own key, and a SATSCARD's sealed slot. With --cvc-file (- to \
            type it), also the keys that hold money, each by a signature over random bytes: a SATSCARD's unsealed slots; a \
            TAPSIGNER's account and, after moving the card to m for a moment, its master key. What cannot be proven is \
            listed as not proven.
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
        let provesKeys = options.cvcSource != nil
        let invocation = try Invocation(options, to: provesKeys ? .changing : .looking, usesCVC: provesKeys)
        let card = try await invocation.card()
        let report = try await invocation.during {
            try await invocation.manager.verify(
                card, network: invocation.network, provingKeys: provesKeys)
        }
        let console = invocation.console
        let lines = Self.lines(report, card, on: console)
        if let error = report.failure {
            if !console.isJSON { console.say(lines: lines) }
            var failure = Failure(error)
            failure.proofs = report.proofs
            throw failure
        }
        let isGenuine = report.verdict?.isGenuine == true
        console.answer(
            Answer(
                proofs: report.proofs.map(ProofDocument.init), genuine: isGenuine,
                root: report.verdict?.rootName ?? "none", product: card.status.product.rawValue,
                ident: card.ident.description),
            lines + [isGenuine ? "Genuine." : "Not genuine, but certified by a root that you accept."],
            remarks: provesKeys || !report.proofs.contains(where: \.needsCVC) ? [] : [CVCAdvice.offer])
    }

    private static func lines(_ report: CardVerification, _ card: CardAtHand, on console: Console) -> [String] {
        let mark = SimulatedMark.text(if: report.isSimulated || card.isSimulated)
        var table = Table(
            [.init(title: ""), .init(title: "PROOF"), .init(title: "DETAIL", least: 30)], hasHeader: false)
        for proof in report.proofs {
            table.add([
                .whole(proof.isProven ? "proven" : proof.holds ? "not proven" : "FAILED"),
                .whole(proof.name.description),
                .prose(proof.detail),
            ])
        }
        return ["\(mark)\(card.status.product.displayName) \(card.ident.called(card.name))"] + console.lines(table)
    }
}
