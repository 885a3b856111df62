import Foundation
import TestSupport
import Testing

/// The tutorials' pages: their code is the code that is compiled here, all of it and nothing else.
@Suite struct ArticleTests {
    @Test(arguments: [
        ("TapManager", "GettingStarted"), ("TapManager", "WritingAFrontEnd"), ("TapManager", "SigningAPSBT"),
        ("TapManager", "AddingACheck"), ("TapProtocol", "VerifyingASatscard"),
        ("SmartCard", "WritingAReaderBackend"),
    ])
    func thePageShowsTheCodeThatRuns(library: String, name: String) throws {
        let page = try text("Sources/\(library)/\(library).docc/\(name).md")
        let code = try text("Tests/TutorialTests/Tutorials/\(name).swift")
        #expect(codeLines(ofPage: page) == code.split(separator: "\n").map(String.init))
        #expect(page.contains("`Tests/TutorialTests/Tutorials/\(name).swift`"))
    }

    /// Who starts has to read forty lines, and no more.
    @Test func gettingStartedIsShort() throws {
        let page = try text("Sources/TapManager/TapManager.docc/GettingStarted.md")
        #expect((1...40).contains(codeLines(ofPage: page).count))
    }

    /// Whatever stands in the folder has a page.
    @Test func everyTutorialHasAPage() throws {
        let folder = Vectors.root.appendingPathComponent("Tests/TutorialTests/Tutorials").path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(
            Set(names) == [
                "GettingStarted.swift", "WritingAFrontEnd.swift", "SigningAPSBT.swift", "AddingACheck.swift",
                "VerifyingASatscard.swift", "WritingAReaderBackend.swift",
            ])
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Vectors.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The lines of the Swift blocks, without empty ones.
    private func codeLines(ofPage page: String) -> [String] {
        var lines: [String] = []
        var isCode = false
        for line in page.split(separator: "\n").map(String.init) {
            if line.hasPrefix("```") {
                isCode = line == "```swift"
            } else if isCode {
                lines.append(line)
            }
        }
        return lines
    }
}
