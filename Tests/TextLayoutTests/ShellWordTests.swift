import Testing
import TextLayout

@Suite struct ShellWordTests {
    /// Spec: POSIX Shell Command Language, "Quoting".
    @Test(arguments: [
        ("plain-1.psbt", "plain-1.psbt"), ("", "''"), ("two words", "'two words'"), ("it's", #"'it'\''s'"#),
        ("$HOME", "'$HOME'"), ("`x`;y", "'`x`;y'"),
    ]) func wordsAreTypedAsAShellReadsThem(_ word: String, _ typed: String) {
        #expect(ShellWord.quoted(word) == typed)
    }
}
