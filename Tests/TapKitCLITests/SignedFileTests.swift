import Testing

@testable import TapKitCLI

@Suite struct SignedFileTests {
    @Test(arguments: [
        ("tx.psbt", "tx.signed.psbt"), ("tx", "tx.signed"), ("a.b/tx", "a.b/tx.signed"),
        ("a.b/tx.psbt.txt", "a.b/tx.psbt.signed.txt"), (".psbt", ".psbt.signed"), ("a/.psbt", "a/.psbt.signed"),
        ("/x.psbt", "/x.signed.psbt"), ("tx.", "tx.signed."),
    ])
    func signedComesBeforeTheEnding(_ input: String, _ output: String) {
        #expect(SignedFile.signedName(of: input) == output)
        #expect(SignedFile(input: input, output: nil).outputName == output)
        #expect(SignedFile(input: input, output: "named").outputName == "named")
    }

    @Test func standardInputGoesToStandardOutput() {
        #expect(SignedFile(input: "-", output: nil).outputName == nil)
        #expect(SignedFile(input: "tx", output: "-").outputName == nil)
        #expect(SignedFile(input: "-", output: "out").outputName == "out")
    }
}
