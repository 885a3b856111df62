import ExplainedErrors
import Testing

@testable import TapKitHWI

/// What other layers' errors say through HWI's one text.
@Suite struct HWIErrorTests {
    private func explanation(_ lines: String..., hint: String = "Do.") -> HWIExplanation {
        HWIExplanation(code: .usage, lines: lines, hint: hint)
    }

    @Test func theHintOfSeveralLinesHasItsOwn() {
        #expect(HWIError(explanation("One.")).error == "One. Do.")
        #expect(HWIError(explanation("One.", "Two.")).error == "One.\nTwo.\nDo.")
        #expect(HWIError(explanation("One.", hint: "")).error == "One.")
    }

    @Test func whatIsToldAgainKeepsTheRest() {
        let told = explanation("One.", "Two.", hint: "").prefixed("1 of 2. ", hint: "Go on.")
        #expect(told == explanation("1 of 2. One.", "Two.", hint: "Go on."))
        #expect(explanation("One.").prefixed("", hint: "Go on.").hint == "Do.")
        #expect(explanation("One.", "Two.").retold("Three.") == explanation("Three.", "Two."))
    }

    @Test func nothingFromOutsideBeginsALine() {
        #expect(HWIError(.badArgument, "a\nb").error == "a\u{FFFD}b")
        #expect(HWIError(explanation("a\nb", hint: "c\nd")).error == "a\u{FFFD}b c\u{FFFD}d")
    }

    /// Spec: HWI 3.2.0, `hwilib/errors.py`.
    @Test func everyCodeHasANumber() {
        for code in ErrorCode.allCases {
            #expect((-19 ... -1).contains(HWIError.Code(code).rawValue) && HWIError.Code(code) != .helpText, "\(code)")
        }
        for (code, number) in [
            (ErrorCode.usage, -2), (.anotherCard, -3), (.refused, -5), (.cvcNeeded, -6), (.wrongCVC, -7),
            (.notSupported, -9), (.rateLimited, -12), (.interrupted, -14), (.storeBusy, -15), (.notSetUp, -18),
        ] { #expect(HWIError.Code(code).rawValue == number, "\(code)") }
    }
}
