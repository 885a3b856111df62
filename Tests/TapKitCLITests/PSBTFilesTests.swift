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
}
