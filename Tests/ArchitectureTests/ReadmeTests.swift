import Foundation
import TestSupport
import Testing

/// README.md is what a newcomer reads first, and no more than that.
@Suite struct ReadmeTests {
    private let text: String

    init() throws {
        text = try String(contentsOf: Vectors.root.appendingPathComponent("README.md"), encoding: .utf8)
    }

    @Test func isReadInOneGo() {
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 150)
    }

    @Test func saysAtOnceWhatWasNeverTried() {
        let firstScreen = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(16).joined(
            separator: "\n")
        #expect(firstScreen.contains("untested with real hardware, and unaudited"))
    }

    /// As `.ci/run` gives them.
    @Test func theNewcomersCommandsAreThoseThatAreTested() throws {
        let run = try String(contentsOf: Vectors.root.appendingPathComponent(".ci/run"), encoding: .utf8)
        let commands = text.matches(of: /```sh\n(\.\/udev\/setup\.sh.*)\n```/).map { String($0.1) }
        #expect(commands.count == 2)
        for command in commands { #expect(run.contains("\n\(command)\n"), "\(command)") }
    }

    @Test func everyLinkLeadsToAFile() async throws {
        let files = Set(try await Repository.files())
        let links = text.matches(of: /\]\(([^)]+)\)/).map { String($0.1) }
        #expect(links.count >= 16)
        for link in links { #expect(files.contains(link), "\(link)") }
    }

    /// The picture of the review is what the command shows.
    @Test func thePictureIsTrue() async throws {
        let check = try await Subprocess.run(
            Vectors.root.appendingPathComponent(".ci/picture").path, ["--check", Subprocess.tapkit])
        #expect(check.ending == .exited(0), "\(check.errorText)")
    }
}
