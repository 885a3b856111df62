import TestSupport
import Testing

@testable import TapKitCLI
@testable import TapManager

/// Whatever the wallet is like, the printed page has everything above its lower edge.
@Suite struct KitPageTests {
    private static let lastLine = 297 - 14

    private func page(_ sample: KitSample) throws -> String {
        let kit = try sample.kit(coinAt: 60)
        let page = try KitPage(kit, KitText(kit)).svg
        let lines = try page.matches(of: /<text x="\d+" y="(\d+)"/).map { try #require(Int($0.output.1)) }
        #expect(lines.count > 10 && lines.allSatisfy { $0 <= Self.lastLine }, "\(lines)")
        return page
    }

    private func holders(_ count: UInt8) throws -> [SampleWallet] {
        try (0..<count).map { try SampleWallet(seed: 20 + $0) }
    }

    private func keys(_ letters: String) -> String { letters.map { "#\($0)" }.joined(separator: ",") }

    /// Many long spending paths: of them, the page has some, and all of the codes.
    @Test func longListsLeaveRoomForTheCodes() throws {
        let others = "BCDEFGHIJK".map { "s:pk(#\($0))" } + (1...8).map { "sln:older(\($0)0)" }
        let expression = "thresh(9,pk(#A),\(others.joined(separator: ",")))"
        let names = (1...11).map { "Card \($0) in the safe of the bank at home" }
        let sample = try KitSample(expression, try holders(11), cards: names)
        #expect(try sample.kit().paths.count == 9)
        let page = try page(sample)
        #expect(page.contains("“\(names[0])”") && page.contains(" more: see read-me.txt") && page.contains("<svg x="))
    }

    /// More codes than a page has room for beside the lists.
    @Test func withoutRoomThePageSaysWhereTheDescriptorsAre() throws {
        let both = ["ABCDEFGHIJKLMNOPQRST", "abcdefghijklmnopqrst"].map { "multi(2,\(keys($0)))" }
        let sample = try KitSample("or_d(\(both[0]),and_v(v:\(both[1]),older(10)))", try holders(20))
        let page = try page(sample)
        #expect(page.contains("The descriptors have no room here: keep descriptors.txt.") && !page.contains("<svg x="))
    }

    /// Of a small wallet, there is everything, and nothing is said to be elsewhere.
    @Test func aSmallWalletHasTextAndCodes() throws {
        let page = try page(KitSample("or_d(pk(#A),and_v(v:pkh(#B),older(10)))", try holders(2)))
        #expect(page.contains("Descriptor 1 of 1") && page.contains("monospace"))
        #expect(!page.contains("no room here") && !page.contains(" more: see"))
    }
}
