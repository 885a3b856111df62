import Bitcoin
import Foundation
import FrontEndText
import TestSupport
import Testing

@testable import TapKitCLI

/// Each policy is explained where people look for it.
@Suite struct PolicyManualTests {
    /// The handbook has each policy with its two sentences about the risks, word for word.
    @Test func theHandbookHasEveryRisk() throws {
        let page = Vectors.root.appendingPathComponent("Sources/TapKitCLI/Handbook.docc/Wallets.md")
        let words = try String(contentsOf: page, encoding: .utf8).split { $0.isWhitespace }.joined(separator: " ")
        for template in PolicyTemplate.allCases {
            #expect(words.contains("**\(template.rawValue)**: \(template.summary). \(template.risks)"), "\(template)")
        }
    }

    /// Risks take two sentences: nobody reads more before a question.
    @Test(arguments: PolicyTemplate.allCases) func risksAreTwoSentences(_ template: PolicyTemplate) {
        #expect(template.risks.hasSuffix("."))
        #expect(template.risks.ranges(of: ". ").count == 1)
        #expect(!template.summary.hasSuffix("."))
    }

    @Test(arguments: [
        (1, "1 block, about 10 minutes"), (144, "144 blocks, about 24 hours"), (4_320, "4320 blocks, about 30 days"),
        (26_280, "26280 blocks, about 6 months"), (52_560, "52560 blocks, about 12 months"),
        (65_535, "65535 blocks, about 15 months"),
    ]) func timesAreInWords(_ blocks: Int, _ words: String) {
        #expect(TemplatePolicy.wait(blocks) == words)
    }

    @Test func agesAreBlocksOrDays() throws {
        for (text, blocks) in [("1", 1), ("65535", 65_535), ("1d", 144), ("455d", 65_520), ("180d", 25_920)] {
            #expect(try PolicyAge.blocks(text) == blocks)
        }
        for text in [
            "", "d", "0", "-1", "0d", "65536", "456d", "1.5d", "2w", "9223372036854775807d", "-9223372036854775808d",
        ] {
            let failure = #expect(throws: Failure.self, "\(text)") { try PolicyAge.blocks(text) }
            #expect(failure?.code == .usage)
        }
    }
}
