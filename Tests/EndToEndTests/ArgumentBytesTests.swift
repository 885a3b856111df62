import Foundation
import TestSupport
import Testing

/// Arguments that are no text are refused before anything is done with what a replacement would make of them.
@Suite struct ArgumentBytesTests {
    /// The replacement character, as which such a byte would be read, is a message like any other.
    @Test func aMessageThatIsNotUTF8IsNotSignedAsAnother() async throws {
        let workshop = try await Workshop()
        let signed = try await workshop.tapkit("message", "sign", "\u{FFFD}", "--json").succeeded().json()
        let (address, signature) = (try signed.text("address"), try signed.text("signature"))
        try await workshop.tapkit("message", "verify", address, signature, "\u{FFFD}").succeeded()
        for verb in [["sign"], ["verify", address, signature]] {
            // The byte FF comes from the shell: this process cannot pass it.
            let script = #"exec "$@" "$(printf '\377')" --json"#
            let run = try await Subprocess.run(
                "sh", ["-c", script, "sh", Subprocess.tapkit, "message"] + verb,
                environment: workshop.environment, directory: workshop.folder.url)
            try run.expectFailure(64, "usage")
        }
    }
}
