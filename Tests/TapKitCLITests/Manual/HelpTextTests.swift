import ManualPages
import Settings
import Testing

@testable import TapKitCLI

/// The help, on terminals of any width.
@Suite struct HelpTextTests {
    /// Every verb that there is, from outside in.
    private static func verbs(below words: [String] = []) -> [[String]] {
        TapkitCommand.verbs(within: words).flatMap { [words + [$0]] + verbs(below: words + [$0]) }
    }

    /// Every verb's description, which does not depend on the width; made once, as it takes the parser long.
    private static let descriptions = Result {
        try verbs().map { (words: $0, command: try CommandDescription.verb($0)) }
    }

    /// Everything that is explained.
    private static func pages(_ width: Int?) throws -> [(name: String, lines: [String])] {
        let text = try HelpText(width: width)
        return try descriptions.get().map { ($0.words.joined(separator: " "), text.verb($0.words, $0.command)) } + [
            ("overview", text.overview), ("options", text.options), ("readers", text.discussion(HelpVerb.readers)),
        ]
    }

    @Test(arguments: [50, 80, 160]) func everyLineFits(_ width: Int) throws {
        for page in try Self.pages(width) {
            #expect(!page.lines.isEmpty)
            for line in page.lines { #expect(line.count <= min(width, 100), "\(page.name): \(line)") }
        }
    }

    /// However narrow it is, the words are the same.
    @Test func noWordIsBroken() throws {
        func words(_ lines: [String]) -> [Substring] {
            lines.flatMap { $0.split(separator: " ") }.filter { $0 != "\\" }
        }
        for (narrow, wide) in zip(try Self.pages(50), try Self.pages(160)) {
            #expect(words(narrow.lines) == words(wide.lines), "\(narrow.name)")
        }
    }

    /// The parser adds something to what it is asked to describe.
    @Test func aVerbIsDescribedAloneAsItIsAmongAll() throws {
        let text = try HelpText(width: 80)
        let tapkit = try CommandDescription.tapkit()
        for (words, alone) in try Self.descriptions.get() {
            let among = try words.reduce(tapkit) { command, word in
                try #require(command.shownSubcommands.first { $0.commandName == word }, "\(words)")
            }
            #expect(text.verb(words, alone) == text.verb(words, among), "\(words)")
        }
        let sign = try text.verb(["sign"])
        #expect(sign.contains("  tapkit sign [options] <file>") && !sign.contains("SUBCOMMANDS:"), "\(sign)")
        #expect(!(try text.verb(["wallet"])).contains { $0.hasPrefix("  help ") })
    }

    /// A verb's own options come first, those of every verb in one sentence.
    @Test func aVerbTellsOfItsOwnOptions() throws {
        let lines = try HelpText(width: nil).verb(["sign"])
        #expect(lines.contains { $0.hasPrefix("  -o, --output <out>") })
        #expect(!lines.contains { $0.contains("--root-key") })
        #expect(lines.joined(separator: " ").contains("tapkit help options"))
        #expect(try HelpText(width: nil).verb(["address"]).contains { $0.hasPrefix("  --qr [<file>]") })
    }

    /// A new backend's readers are explained as soon as it is in the list of families.
    @Test func everyFormOfAReadersNameIsExplained() {
        #expect(!ReaderSpec.forms.isEmpty)
        for form in ReaderSpec.forms {
            #expect(HelpVerb.readers.contains("  \(form.text)") && HelpVerb.readers.contains(form.meaning))
        }
    }

    @Test func theFormatsOfExportsStayATable() throws {
        let lines = try HelpText(width: 80).verb(["export"])
        #expect(lines.contains { $0.hasPrefix("  core               the argument of Bitcoin Core's") })
        let narrow = try HelpText(width: 50).verb(["export"])
        let place = try #require(narrow.firstIndex(of: "  core"))
        #expect(narrow[place + 1].hasPrefix("      the argument of"))
    }

    @Test func everyVerbStandsInOneGroup() throws {
        let overview = try HelpText(width: 160).overview
        for verb in TapkitCommand.verbs {
            #expect(overview.count { $0.hasPrefix("  \(verb) ") } == 1, "\(verb)")
        }
    }
}
