import TestSupport
import Testing

@testable import ManualPages

/// The handbook's Markdown, and what the manual makes of it.
@Suite struct MarkdownBlockTests {
    @Test func readsWhatThePagesUse() {
        let page = """
            # Title

            First line,
            second line.
            ## Section
            ![A picture](picture)
            - one
              and more
            - two

            ```
            $ # no heading

            - no item
            ```
            | a | b |
            |---|---|
            | `x` | y z |
            | - | – |

            """
        #expect(
            MarkdownBlock.blocks(of: page) == [
                .heading(1, "Title"), .paragraph("First line, second line."), .heading(2, "Section"),
                .list(["one and more", "two"]), .code(["$ # no heading", "", "- no item"]),
                .table([["a", "b"], ["`x`", "y z"], ["-", "–"]]),
            ])
    }

    @Test(arguments: ["", "\n\n", "```", "```\nopen", "#", "|", "- ", "![", "- a\n```"])
    func endsWithEveryPage(_ page: String) {
        #expect(MarkdownBlock.blocks(of: page).count <= 2)
    }

    @Test func theManualShowsTheSame() async throws {
        let page = """
            # Title

            A page that is a test.

            ## Overview

            Run `tapkit sign -o FILE`, **not `tapkit tx`**, *now*: <doc:Wallets>, <https://example.org/a_b>. 2 * 3 * 4.

            ## Other things

            - an item

            | `term` | meaning |
            |---|---|
            | `word` | what *it* means |

            | a | b | c |
            |---|---|---|
            | x | y | z |
            """
        var roff = Roff(title: "tapkit-test", section: 7, date: "2026-01-02", source: "tapkit 0", manual: "Tests")
        roff.section("NAME")
        roff.run("tapkit-test - what is tested")
        roff.markdown(MarkdownBlock.blocks(of: page).dropFirst(2))
        let folder = try TestSupport.TemporaryFolder()
        let file = try folder.write(roff.text, to: "tapkit-test.7")
        let lint = try await Subprocess.run("mandoc", ["-T", "lint", "-W", "warning", file])
        #expect(lint.output.isEmpty, "\(lint.text)")
        let text = try await Subprocess.run(
            "man", ["--warnings", "-E", "UTF-8", "-l", file], environment: ["MANWIDTH": "200", "LC_ALL": "C.UTF-8"]
        ).succeeded().text
        let line = "Run tapkit sign -o FILE, not tapkit tx, now: tapkit-wallets(7), https://example.org/a_b. 2 * 3 * 4."
        #expect(text.contains(line), "\(text)")
        for part in ["DESCRIPTION", "OTHER THINGS", "• an item", "what it means", "b: y\n", "c: z\n"] {
            #expect(text.contains(part), "\(part): \(text)")
        }
    }
}
