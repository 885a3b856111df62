import ArgumentParser
import Foundation
import ManualPages
import TestSupport
import Testing

@testable import TapKitCLI
@testable import TapKitHWI

/// The handbook's pages: each is a page of the manual, says nothing of commands that there are not, and is written in
/// what the manual's reader of Markdown knows.
@Suite struct HandbookTests {
    private static let folder = Vectors.root.appendingPathComponent("Sources/TapKitCLI/Handbook.docc")
    /// The page on changing tapkit, which is for those who have the sources.
    private static let contributing = "Contributing"

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent("\(name).md"), encoding: .utf8)
    }

    @Test func everyPageIsInTheManualAndInTheTable() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
            .filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }
        #expect(Set(files) == Set(HandbookPage.all.map(\.name.capitalized) + [Self.contributing, "Handbook"]))
        let contents = try Self.text("Handbook")
        let readme = try String(contentsOf: Vectors.root.appendingPathComponent("README.md"), encoding: .utf8)
        let table = readme.split(separator: "\n").filter { $0.hasPrefix("| ") }.joined(separator: "\n")
        for page in files where page != "Handbook" {
            #expect(contents.contains("- <doc:\(page)>"), "\(page)")
            #expect(table.contains("[\(page)](Sources/TapKitCLI/Handbook.docc/\(page).md)"), "\(page)")
        }
        for page in HandbookPage.all {
            #expect(page.markdown == (try Self.text(page.name.capitalized)), "\(page.name)")
            #expect(page.markdown.hasPrefix("# ") && page.markdown.contains("\n\n## Overview\n\n"), "\(page.name)")
        }
    }

    @Test func everyVerbHasItsSubject() throws {
        #expect(Set(HandbookPage.all.flatMap(\.verbs)) == Set(TapkitCommand.verbs))
        let sign = try #require(ManualPage.everyPage.get().first { $0.name == "tapkit-sign" })
        #expect(sign.text.contains("tapkit\\-signing(7)"))
    }

    /// What would show as it is typed on the site, or in the manual.
    @Test(arguments: HandbookPage.all.map(\.name.capitalized) + [contributing])
    func thePageIsWrittenInWhatIsRead(_ name: String) throws {
        let names = try Set(FileManager.default.contentsOfDirectory(atPath: Self.folder.path))
        for block in MarkdownBlock.blocks(of: try Self.text(name)) {
            let lines: [String]
            switch block {
            case .heading(let level, let title):
                #expect((1...3).contains(level), "\(title)")
                lines = [title]
            case .paragraph(let text): lines = [text]
            case .list(let items): lines = items
            case .code: continue
            case .table(let rows):
                #expect(Set(rows.map(\.count)).count == 1, "\(rows)")
                lines = rows.flatMap { $0 }
            }
            for line in lines {
                let words = line.replacing(/`[^`]+`/, with: "")
                #expect(!words.contains(/^\d+\. |^> |^\* |\]\(|<(?!doc:|https:)|``|\s_\w/), "\(line)")
                #expect(words.count { $0 == "*" } % 2 == 0 && !words.contains("`"), "\(line)")
                for link in words.matches(of: /<doc:(\w+)>/) { #expect(names.contains("\(link.1).md"), "\(line)") }
            }
        }
    }

    /// Every `tapkit …` in the pages and in README.md is a verb, and has the options that stand there.
    @Test(
        arguments: HandbookPage.all.map { "Sources/TapKitCLI/Handbook.docc/\($0.name.capitalized).md" } + ["README.md"])
    func commandsAreTapkits(_ path: String) throws {
        let text = try String(contentsOf: Vectors.root.appendingPathComponent(path), encoding: .utf8)
        let inLine = text.matches(of: /`(tapkit [a-z][^`]*)`/).map { String($0.1) }
        let typed = MarkdownBlock.blocks(of: text).flatMap { block -> [String] in
            guard case .code(let lines) = block else { return [] }
            return lines.compactMap { $0.prefixMatch(of: /(\$ )?(tapkit [a-z][^#|]*)/).map { String($0.2) } }
        }
        for line in inLine + typed {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            let verb = TapkitCommand.verb(of: Array(words.dropFirst()))
            try #require(!verb.isEmpty, "\(line)")
            let options = words.filter { $0.hasPrefix("--") }
            guard !options.isEmpty else { continue }
            let help = TapkitCommand.helpMessage(for: try #require(TapkitCommand.command(verb)))
            for option in options {
                let name = String(option.prefix { $0 != "=" })
                #expect(help.contains(name), "\(line): \(name)")
            }
        }
    }
}
