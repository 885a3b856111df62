import Bitcoin
import TestSupport
import Testing

@testable import AnswerDocuments
@testable import TapManager

/// The JSON of a question: what somebody sees who is to say yes.
@Suite struct QuestionDocumentTests {
    private func json(_ question: Question) throws -> [String: Any] { try QuestionDocument(question).fields() }

    /// The store is all that knows of a payment that a server may still pass on.
    @Test func aDeletionShowsWhatIsPaidAndWhetherItMayBeUnderWay() throws {
        var stored = StoredTransaction(
            psbt: try SampleWallet(seed: 1).psbt(), created: UnixTime(seconds: 1), updated: UnixTime(seconds: 1))
        let review = try #require(SigningPlanner(psbt: stored.psbt, network: .test).review().review)
        func asked(_ review: TransactionReview?, isSigned: Bool = false) throws -> [String: Any] {
            try json(
                .deleteTransaction(
                    DeletionQuestion(
                        id: stored.id, summary: stored.summary, network: .test, review: review, fault: nil,
                        isSigned: isSigned)))
        }
        let kept = try asked(review)
        #expect(kept["question"] as? String == "delete_transaction" && kept["id"] as? String == "\(stored.id)")
        #expect(kept["under_way"] == nil && kept["signed"] == nil)
        #expect(try asked(review, isSigned: true)["signed"] as? Bool == true)
        let shown = try #require(kept["review"] as? [String: Any])
        #expect(shown["network"] as? String == "test" && shown["fee_sat"] as? Int == 1_000)
        let outputs = try #require(shown["outputs"] as? [[String: Any]])
        #expect(outputs.map { $0["amount_sat"] as? Int } == [50_000, 49_000])
        let payee = try #require(review.outputs[0].address)
        #expect(outputs[0]["address"] as? String == "\(payee)")

        stored.offered = UnixTime(seconds: 2)
        #expect(try asked(nil, isSigned: true)["signed"] == nil)
        let given = try asked(nil)
        #expect(given["under_way"] as? Bool == true && given["review"] == nil)
        stored.standing = ChainStanding(height: 100, tip: 300)
        #expect(try asked(nil)["under_way"] == nil)
    }

    /// A yes alone sends nothing that can lose money and that nobody has accepted.
    @Test func aSendingNamesWhatMustBeAccepted() throws {
        let stored = StoredTransaction(
            psbt: try SampleWallet(seed: 1).psbt(), created: UnixTime(seconds: 1), updated: UnixTime(seconds: 1))
        var shown = StoredTransactionReview(
            transaction: stored, network: .test, review: nil, findings: [], tally: SignatureTally(stored.psbt),
            storedSignatures: 0)
        #expect(try json(.send(shown, server: "s"))["to_accept"] == nil)
        shown.unacceptedFindings = [
            Finding(.warning, .addressAlreadyPaid, .output(1), "It is paid already."),
            Finding(.notice, .feeRateLow, .transaction, "The fee rate is low."),
        ]
        let asked = try json(.send(shown, server: "s"))
        #expect(asked["to_accept"] as? [String] == ["address_already_paid"])
        let findings = try #require(asked["findings"] as? [[String: Any]])
        #expect(findings.map { $0["output"] as? Int } == [1, nil] && findings.allSatisfy { $0["input"] == nil })
    }
}
