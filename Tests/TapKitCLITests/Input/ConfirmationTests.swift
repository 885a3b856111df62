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
}
