import Foundation
import TestSupport
import Testing

/// Texts that people read are plain English, and use one word for one thing.
@Suite struct WordingTests {
    /// What has been rewritten: folders end in a slash. Add to it, never take away.
    private static let swept = [
        "Sources/ExplainedErrors/", "Sources/ByteCodec/", "Sources/Bitcoin/", "Sources/ChainData/", "Sources/QRCodes/",
        "Sources/Pinentry/", "Sources/TapManager/", "Sources/TapKitCLI/", "Sources/TapKitHWI/",
        "Sources/TapKitService/", "Sources/LocalSockets/", "Sources/ChildPrograms/", "Sources/FrontEndText/",
        "Sources/Settings/",
        "Sources/AnswerDocuments/", "Sources/ManualPages/",
        "Sources/TextLayout/",
        "Sources/Terminal/",
        "Sources/QRScreens/", "Sources/tapkit/",
        "Sources/SmartCard/", "Sources/CardReaders/",
        "Sources/TapProtocol/",
        "Sources/TapSimulator/", "Sources/ReaderDoctor/", "Sources/Threads/", "Sources/TapKitFuzz/",
        "Sources/TapKitBenchmarks/", "README.md", "udev/setup.sh",
    ]

    private static func texts(of path: String) throws -> [WordedText] {
        let content = try String(contentsOf: Vectors.root.appendingPathComponent(path), encoding: .utf8)
        if path.hasSuffix(".swift") { return SwiftTextScanner.texts(in: content) }
        return path.hasSuffix(".sh") || path.hasSuffix(".js")
            ? PageText.texts(inScript: content) : PageText.texts(inMarkdown: content)
    }

    /// The files with texts: Swift code, pages and the browser's scripts below `Sources`, the README, and the script beside the rules of udev.
    private static func paths() async throws -> [String] {
        try await Repository.files().filter {
            $0.hasPrefix("Sources/") && [".swift", ".md", ".js"].contains(where: $0.hasSuffix)
                || ["README.md", "udev/setup.sh"].contains($0)
        }
    }

    @Test(arguments: swept)
    func sweptTextsUseNoForbiddenPhrase(_ place: String) async throws {
        let paths = try await Self.paths().filter { place.hasSuffix("/") ? $0.hasPrefix(place) : $0 == place }
        #expect(!paths.isEmpty, "\(place) is not there")
        var count = 0
        for path in paths {
            for text in try Self.texts(of: path) {
                count += 1
                for (line, phrase) in ForbiddenPhrase.found(in: text) {
                    Issue.record("\(path):\(line): “\(phrase.phrase)”; write “\(phrase.instead)”")
                }
            }
        }
        #expect(count > 0, "no text was found in \(place)")
    }

    /// A replacement that is itself forbidden could not be followed.
    @Test func replacementsAreAllowed() {
        for phrase in ForbiddenPhrase.all {
            let broken = ForbiddenPhrase.found(in: WordedText(phrase.instead)).map(\.phrase.phrase)
            #expect(broken.isEmpty, "“\(phrase.phrase)” → “\(phrase.instead)”")
        }
    }

    @Test(arguments: [
        ("let a = \"The file is no PSBT.\"", [1]),
        ("let a = \"The file IS NO\"\n    + \" PSBT.\"", [1]),
        ("let a = 1\nlet b = \"\"\"\n    A card lies\n    on it.\n    \"\"\"", [3]),
        ("/// The text is\n/// no address.\nlet a = 1", [1]),
        ("let a = \"\\(f(\"x) is no\")) is no amount\"", [1, 1]), ("let a = #\"a \\\" is no b\"#", [1]),
        ("/// There is no card, and it is no longer there.\nlet a = 1", []),
        ("/// That it is. No card is there.\nlet a = 1", []), ("/// See `is no`.\nlet a = 1", []),
        ("/// ```\n/// is no\n/// ```\nlet a = 1", []), ("// is no\nlet a = 1", []),
        ("let a = \"\\(a) this\\(b) no, it's not\"", []), ("let isno = a[\"is_no\"] // is no", []),
        ("let a = \"heeds\"", []), ("let a = \"it heeds it\"", [1]), ("let a = \"it heedsit\"", []),
    ])
    func findsPhrasesInSwift(_ code: String, _ lines: [Int]) {
        #expect(found(in: SwiftTextScanner.texts(in: code)) == lines)
    }

    @Test func findsPhrasesInPagesAndScripts() {
        let page = "# Title\n\nA file\nis no PSBT.\n\n```sh\nis no\n```\n\n- It is\n- no card\n"
        #expect(found(in: PageText.texts(inMarkdown: page)) == [4])
        let script = "# What it says\n# of it is\n# no use.\necho \"this is no use\"\necho is\necho no\n"
        #expect(found(in: PageText.texts(inScript: script)) == [2, 4])
    }

    private func found(in texts: [WordedText]) -> [Int] {
        texts.flatMap { ForbiddenPhrase.found(in: $0).map(\.line) }.sorted()
    }
}
