import Bitcoin
import Testing

@testable import TapKitCLI
@testable import TapManager

/// Questions in the terminal's words.
@Suite struct QuestionTextTests {
    @Test(arguments: [
        (1, "These labels thaw a frozen coin:", "Let it be spent from now on?"),
        (2, "These labels thaw frozen coins:", "Let them be spent from now on?"),
    ])
    func thawingNamesEveryCoin(_ count: Int, _ title: String, _ question: String) throws {
        let id = try #require(TransactionID([UInt8](repeating: 7, count: 32)))
        let coins = (0..<count).map { Outpoint(transactionID: id, index: UInt32($0)) }
        let text = QuestionText(.thaw(coins))
        #expect(text.lines == [title] + coins.map { "  \($0)" } && text.question == question)
        #expect(text.occasion == .task && text.findings.isEmpty)
    }

    /// What is only told is no question, but with what can lose money.
    @Test func payingAgainIsAboutItsFindings() {
        let text = QuestionText(.payAgain([]))
        #expect(text.lines.isEmpty && text.question == "Pay again?" && text.occasion == .finding)
    }
}
