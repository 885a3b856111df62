import TestSupport
import Testing

@testable import ManualPages

/// Text for troff shows as it was meant, whatever stands in it.
@Suite struct RoffTests {
    private func rendered(_ build: (inout Roff) -> Void) async throws -> String {
        var page = Roff(title: "tapkit-test", section: 1, date: "2026-01-02", source: "tapkit 0", manual: "Tests")
        page.section("NAME")
        page.run("tapkit-test - what is tested")
        page.section("DESCRIPTION")
        build(&page)
        let folder = try TestSupport.TemporaryFolder()
        let file = try folder.write(page.text, to: "tapkit-test.1")
        let lint = try await Subprocess.run("mandoc", ["-T", "lint", "-W", "warning", file])
        #expect(lint.output.isEmpty, "\(lint.text)")
        return try await Subprocess.run(
            "man", ["--warnings", "-E", "UTF-8", "-l", file], environment: ["MANWIDTH": "200", "LC_ALL": "C.UTF-8"]
        ).succeeded().text
    }

    @Test(arguments: [
        ".TH is no request here", "'br neither", #"back\slash \fBand\fR fonts"#, "--json and -y", #"a "quoted" word"#,
        "it's `this` ^ and ~", "m/84h/0h/0h…", "“quotes” — dashes", #"\&. \e \(aq"#, "100 % of $HOME", "a.b .c",
    ])
    func textShowsAsItIs(_ text: String) async throws {
        #expect(try await rendered { $0.run(text) }.contains(text))
        #expect(try await rendered { $0.paragraph(text) }.contains(text))
        #expect(try await rendered { $0.item([.bold(text)], "meaning") }.contains(text))
        #expect(try await rendered { $0.item([.italic("term")], text) }.contains(text))
        #expect(try await rendered { $0.verbatim([text, "  " + text]) }.contains("  " + text))
    }

    /// The source's own lines may end anywhere, also before a word that would be a request.
    @Test func longTextIsBrokenWithoutHarm() async throws {
        let words = (0..<60).map { $0 % 3 == 0 ? ".br" : "'word\($0)" }
        let text = try await rendered { $0.run(words.joined(separator: " ")) }
        for word in words { #expect(text.contains(word)) }
        #expect(text.components(separatedBy: ".br").count == 21)
    }
}
