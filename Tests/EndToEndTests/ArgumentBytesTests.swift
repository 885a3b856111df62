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
        try await workshop.tapkit("message", "verify", address, signature, "else", "--json")
            .expectFailure(76, "bad_signature")
        // Text that is not a signature proves nothing about anybody: it is bad input.
        for text in ["not Base64!", ""] {
            try await workshop.tapkit("message", "verify", address, text, "x", "--json")
                .expectFailure(65, "bad_argument")
        }
        for verb in [["sign"], ["verify", address, signature]] {
            // The byte FF comes from the shell: this process cannot pass it.
            let script = #"exec "$@" "$(printf '\377')" --json"#
            let run = try await Subprocess.run(
                "sh", ["-c", script, "sh", Subprocess.tapkit, "message"] + verb,
                environment: workshop.environment, directory: workshop.folder.url)
            try run.expectFailure(64, "usage")
        }
    }

    /// The parser repeats arguments: none of them begins a line of what it says.
    @Test(
        arguments: [
            ["status", "x\nThe card is genuine"], ["--x\nThe card is genuine"],
            ["status", "--x\nThe card is genuine=1"],
            ["message", "sign", "m", "--format", "x\nThe card is genuine"],
            ["message", "sign", "m", "--format=x\nThe card is genuine"],
            ["message", "sign", "m", "--format", "\u{301}x\r\nThe card is genuine"],
            ["hwi", "signmessage", "m", "m/0h", "x\nThe card is genuine"],
            ["hwi", "enumerate", "--x\nThe card is genuine"],
            ["hwi", "displayaddress", "--addr-type", "x\nThe card is genuine"],
            ["hwi", "--chain=x\nThe card is genuine", "enumerate"],
        ])
    func noArgumentBeginsALine(_ arguments: [String]) async throws {
        let workshop = try await Workshop()
        let run = try await workshop.tapkit(arguments)
        #expect(run.status != 0)
        let lines = (run.text + run.errorText).unicodeScalars.split { "\n\r".unicodeScalars.contains($0) }
        #expect(!lines.contains { String($0).hasPrefix("The card is genuine") }, "\(run.errorText)")
        #expect(run.errorText.contains("The card is genuine"))
    }
}
