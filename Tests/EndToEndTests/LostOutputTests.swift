import Foundation
import TestSupport
import Testing

/// Standard output that cannot be written, at ends that have more to say than that.
@Suite struct LostOutputTests {
    /// A limit for files (`ulimit -f`) would end the process by a signal, without a word.
    @Test func aFileAtItsLimitIsAFailure() async throws {
        let folder = try TemporaryFolder()
        let script = #"{ ulimit -f 0; "$@" 2>&1 >out; echo "status $?"; } | cat"#
        let run = try await Subprocess.run(
            "sh", ["-c", script, "sh", Subprocess.tapkit, "help", "errors"], environment: Workshop.nothing,
            directory: folder.url
        ).succeeded()
        #expect(run.text.contains("tapkit: The answer could not be written: File too large."), "\(run.text)")
        #expect(run.text.hasSuffix("\nstatus 73\n"), "\(run.text)")
    }

    /// A signed PSBT that neither its file nor standard output takes is not said to be there.
    @Test func whatIsNotOnStandardOutputIsNotSaidToBe() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        let run = try await Subprocess.run(
            "sh",
            ["-c", #"exec "$@" >/dev/full"#, "sh", Subprocess.tapkit, "sign", "tx.psbt", "-o", "/dev/full", "--yes"],
            environment: workshop.environment, directory: workshop.folder.url)
        #expect(run.status == 73)
        #expect(run.errorText.contains("The signed PSBT could not be written to standard output: No space left"))
        #expect(!run.errorText.contains("is on standard output"), "\(run.errorText)")
        #expect(run.errorText.contains("kept in the local store"))
    }
}
