import ExplainedErrors
import Testing

/// What libraries and the system say, as a sentence.
@Suite struct SentenceTests {
    @Test(arguments: [
        ("no such file or directory", "No such file or directory."), ("Ended.", "Ended."), ("which one?", "Which one?"),
        ("not this one!", "Not this one!"), ("and so on…", "And so on…"), ("one of these:", "One of these:"),
        ("wallet.json is damaged", "wallet.json is damaged."), ("core:http://x is gone", "core:http://x is gone."),
        ("/etc/nfc is missing", "/etc/nfc is missing."), ("élan", "Élan."), ("", ""),
    ]) func aSentenceBeginsAndEndsAsOne(_ text: String, _ sentence: String) {
        #expect(text.asSentence == sentence)
    }
}
