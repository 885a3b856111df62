import Testing

@testable import Pinentry
@testable import TapKitCLI

@Suite struct ConfirmationTests {
    @Test func theQuestionIsNeverCutOff() {
        let question = "Sign it anyway?"
        #expect(Confirmation.description(question, ["A", "B"]) == "A\nB\nSign it anyway?")
        for (reason, count) in [("100 % of a fee", 1), (String(repeating: "é%", count: 100), 40), ("%", 1000)] {
            let text = Confirmation.description(question, Array(repeating: reason, count: count))
            let lines = text.split(separator: "\n").map(String.init)
            let shown = lines.count { $0 == reason }
            #expect(lines.last == question)
            #expect(shown == count || text.contains("… and \((count - shown).counted("more warning")): "))
            let command = AssuanCommand("SETDESC", text)
            #expect(String(decoding: command.line, as: UTF8.self).hasSuffix("%0A\(question)\n"))
        }
    }

    /// Where nothing is shown elsewhere, nothing is left out.
    @Test func partsHoldEveryReason() throws {
        let question = "Sign it?"
        for (reason, count) in [("100 % of a fee", 3), (String(repeating: "é%", count: 100), 40), ("%", 1000)] {
            let reasons = (0..<count).map { "\($0) \(reason)" }
            let parts = try #require(Confirmation.parts(reasons, beside: question))
            #expect(Array(parts.joined()) == reasons)
            for part in parts { #expect(!Confirmation.description(question, part).contains("more warning")) }
        }
        #expect(Confirmation.parts([], beside: question) == [[]])
        #expect(Confirmation.parts(["short", String(repeating: "x", count: 1000)], beside: question) == nil)
    }
}
