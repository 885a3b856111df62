import TestSupport
import Testing

@testable import ManualPages

/// Text for troff shows as it was meant, whatever stands in it.
@Suite struct RoffTests {
    /// What `man` shows of each of several texts, which have a section each on one page.
    private func rendered(_ builds: [(inout Roff) -> Void]) async throws -> [String] {
        var page = Roff(title: "tapkit-test", section: 1, date: "2026-01-02", source: "tapkit 0", manual: "Tests")
        page.section("NAME")
        page.run("tapkit-test - what is tested")
        for build in builds {
            page.section("DESCRIPTION")
            build(&page)
        }
        let folder = try TestSupport.TemporaryFolder()
        let file = try folder.write(page.text, to: "tapkit-test.1")
        let lint = try await Subprocess.run("mandoc", ["-T", "lint", "-W", "warning", file])
        #expect(lint.output.isEmpty, "\(lint.text)")
        let shown = try await Subprocess.run(
            "man", ["--warnings", "-E", "UTF-8", "-l", file], environment: ["MANWIDTH": "200", "LC_ALL": "C.UTF-8"]
        ).succeeded().text
        let sections = shown.components(separatedBy: "\nDESCRIPTION\n").dropFirst()
        try #require(sections.count == builds.count, "\(shown)")
        return Array(sections)
    }

    @Test(arguments: [
        ".TH is no request here", "'br neither", #"back\slash \fBand\fR fonts"#, "--json and -y", #"a "quoted" word"#,
        "it's `this` ^ and ~", "m/84h/0h/0h…", "“quotes” — dashes", #"\&. \e \(aq"#, "100 % of $HOME", "a.b .c",
    ])
    func textShowsAsItIs(_ text: String) async throws {
        let sections = try await rendered([
            { $0.run(text) }, { $0.paragraph(text) }, { $0.item([.bold(text)], "meaning") },
            { $0.item([.italic("term")], text) }, { $0.verbatim([text, "  " + text]) },
        ])
        for section in sections.dropLast() { #expect(section.contains(text), "\(sections)") }
        #expect(sections.last?.contains("  " + text) == true)
    }

    /// The source's own lines may end anywhere, also before a word that would be a request.
    @Test func longTextIsBrokenWithoutHarm() async throws {
        let words = (0..<60).map { $0 % 3 == 0 ? ".br" : "'word\($0)" }
        let text = try await rendered([{ $0.run(words.joined(separator: " ")) }]).joined()
        for word in words { #expect(text.contains(word)) }
        #expect(text.components(separatedBy: ".br").count == 21)
    }
}
