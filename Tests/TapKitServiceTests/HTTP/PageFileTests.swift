import Foundation
import TestSupport
import Testing

@testable import TapKitService

/// The page's files, as they are in the command.
@Suite struct PageFileTests {
    private static let folder = Vectors.root.appendingPathComponent("Sources/TapKitService/Page")
    private let files = PageFile.names.sorted().compactMap { PageFile($0) }

    @Test func everyFileIsServedAndAllAreSmall() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(names) == PageFile.names)
        for file in files {
            #expect(Data(file.content) == (try Data(contentsOf: Self.folder.appendingPathComponent(file.name))))
        }
        let bytes = files.reduce(0) { $0 + $1.content.count }
        #expect(bytes < 156_000, "\(bytes) bytes")
    }

    /// The page answers a question that it has no words for with no.
    @Test func whatLosesSomethingHasWords() throws {
        let words = String(decoding: try #require(PageFile("words.js")).content, as: UTF8.self)
        for question in ["sign", "sweep", "send", "pay_again", "remove_wallet"] {
            #expect(words.contains("\n  \(question): ("), "\(question)")
        }
        // Without its network, an amount would be taken for money.
        #expect(!words.contains("amount("))
    }

    /// From the document on, each file names others of the page and nothing else; none is left over.
    @Test func filesNameEachOtherOnly() {
        // Views are named by the page's addresses.
        var named = PageFile.names.filter { $0.hasPrefix("view-") }.union(["index.html"])
        for file in files {
            let text = String(decoding: file.content, as: UTF8.self)
            for match in text.matches(of: /(?:from |import\(|src=|href=|: )"(?:\.\/)?([a-z-]+\.(?:js|css))"/) {
                named.insert(String(match.1))
            }
            // The name of SVG's elements is an address that nobody opens.
            let addresses = text.replacingOccurrences(of: "http://www.w3.org/2000/svg", with: "")
            #expect(!addresses.contains("http://") && !addresses.contains("https://"), "\(file.name)")
            for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "style=\""] {
                #expect(!text.contains(word), "\(word) in \(file.name)")
            }
        }
        #expect(named == PageFile.names)
    }
}
