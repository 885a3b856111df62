import TapManager
import Testing

@testable import AnswerDocuments

/// What is accepted at once, as a person is told.
@Suite struct LossDocumentTests {
    @Test func oneIsSaidAndSeveralAreCounted() {
        let findings =
            [Finding(.warning, .feeHigh, .transaction, "The fee is high.")]
            + (0..<7).map { Finding(.warning, .changeNotProven, .output($0), "it is claimed.") }
        let losses = LossDocument.all(findings)
        #expect(losses.map(\.code) == ["change_not_proven", "fee_high"] && losses.map(\.count) == [7, 1])
        #expect(
            losses.map(\.summary) == [
                "7 outputs with this warning: \(FindingCode.changeNotProven.meaning)", "The fee is high.",
            ])
    }
}
