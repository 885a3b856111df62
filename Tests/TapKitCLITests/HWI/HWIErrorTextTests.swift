import Testing

@testable import TapKitCLI

/// What tapkit's own failures say through HWI's one text.
@Suite struct HWIErrorTextTests {
    @Test func theHintOfSeveralLinesHasItsOwn() {
        #expect(HWIError(Failure(.usage, "One.", hint: "Do.")).error == "One. Do.")
        let several = Failure(.usage, lines: ["One.", "Two."], hint: "Do.")
        #expect(HWIError(several).error == several.message + "\nDo." && several.message.contains("\n"))
    }
}
