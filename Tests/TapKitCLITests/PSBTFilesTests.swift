import TapManager
import Testing

@testable import TapKitCLI

@Suite struct PSBTFilesTests {
    @Test func theSignedFormHasItsOwnFile() {
        #expect(PSBTFiles(input: "tx.psbt", output: nil).output?.path == "tx.signed.psbt")
        #expect(PSBTFiles(input: "tx.psbt", output: "named").output?.path == "named")
    }

    @Test func standardInputGoesToStandardOutput() {
        #expect(PSBTFiles(input: "-", output: nil).output == nil)
        #expect(PSBTFiles(input: "tx", output: "-").output == nil)
        #expect(PSBTFiles(input: "-", output: "out").output?.path == "out")
    }

    /// Nothing can be written beside a descriptor that the shell passes on.
    @Test(arguments: ["/dev/stdin", "/dev/fd/0", "/dev/fd/63", "/proc/self/fd/63"])
    func soDoesWhatIsOpenAlready(_ input: String) {
        #expect(PSBTFiles(input: input, output: nil).output == nil)
        #expect(PSBTFiles(input: input, output: "out").output?.path == "out")
        // A look writes nothing.
        #expect(PSBTFiles(input: input, output: input).output?.path == input)
    }
}
