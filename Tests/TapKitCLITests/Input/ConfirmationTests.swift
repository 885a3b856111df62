import Testing

@testable import Pinentry
@testable import TapKitCLI

@Suite struct ConfirmationTests {
    /// A yes to a text that was cut is none.
    @Test func partsHoldEveryReasonAndNoneIsCutOff() throws {
        let question = "Sign it?"
        for (reason, count) in [("100 % of a fee", 3), (String(repeating: "é%", count: 100), 40), ("%", 1000)] {
            let reasons = (0..<count).map { "\($0) \(reason)" }
            let parts = try #require(Confirmation.parts(reasons, beside: question))
            #expect(Array(parts.joined()) == reasons)
            for part in parts {
                let command = AssuanCommand("SETDESC", (part + [question]).joined(separator: "\n"))
                #expect(String(decoding: command.line, as: UTF8.self).hasSuffix("%0A\(question)\n"))
            }
        }
        #expect(Confirmation.parts([], beside: question) == [[]])
        #expect(Confirmation.parts(["short", String(repeating: "x", count: 1000)], beside: question) == nil)
    }

    /// Nobody clicks through dozens of windows, and nothing is left out: then the terminal shows everything.
    @Test func whatIsTooMuchForWindowsIsShownInNone() throws {
        let reasons = (0..<1000).map { "You pay 0.00050000 BTC to address \($0)" }
        let windows = try #require(Confirmation.windows("Sign it?", reasons: Array(reasons.prefix(40))))
        #expect((2...8).contains(windows.count))
        let lines = windows.flatMap { $0.split(separator: "\n").map(String.init) }
        #expect(lines.filter { $0.hasPrefix("You pay ") } == Array(reasons.prefix(40)))
        #expect(lines.count { $0.hasSuffix(" of \(windows.count). Continue?") } == windows.count - 1)
        #expect(lines.last == "Sign it?")
        #expect(Confirmation.windows("Sign it?", reasons: reasons) == nil)
    }

    /// pinentry-qt before 1.2.1 looks at the first line of a text to tell whether it is HTML.
    @Test func noNameMakesAWindowHTML() throws {
        for name in ["<b>vault<!--", "a &lt; b"] {
            let reasons =
                ["Wallet “\(name)”:"] + [String](repeating: "\(name) \(String(repeating: "x", count: 300))", count: 5)
            let windows = try #require(Confirmation.windows("Sign it?", reasons: reasons))
            #expect(windows.count > 1 && windows.allSatisfy { $0.hasPrefix("tapkit:\n") })
            for window in windows {
                let end = try #require(window.split(separator: "\n").last)
                #expect(String(decoding: AssuanCommand("SETDESC", window).line, as: UTF8.self).hasSuffix("%0A\(end)\n"))
            }
        }
        #expect(Confirmation.windows("Sign it?", reasons: ["a"]) == ["a\nSign it?"])
    }
}
