import TestSupport
import Testing

@testable import TapKitCLI
@testable import TapManager

/// What a kit tells heirs to do, and its owner.
@Suite struct KitTextTests {
    private let sample: KitSample

    init() throws {
        let holders = try [1, 2].map { try SampleWallet(seed: $0) }
        sample = try KitSample("or_d(pk(#A),and_v(v:pkh(#B),older(10)))", holders)
    }

    private func line(_ text: String) -> String { text.replacing(/\s+/, with: " ") }

    /// Heirs have a fresh store, which stops after 20 unused addresses.
    @Test(arguments: [(nil, ""), (19, ""), (20, " --gap-limit 21"), (60, " --gap-limit 61")] as [(UInt32?, String)])
    func heirsSearchUpToTheLastCoin(_ index: UInt32?, _ option: String) throws {
        let kit = try sample.kit(coinAt: index)
        let text = KitText(kit)
        #expect(text.steps.map(\.command).contains("tapkit wallet sync w\(option)"))
        let (readMe, page) = (line(text.readMe), line(try KitPage(kit, text).svg))
        for text in [readMe, page] { #expect(text.contains("search at least") == !option.isEmpty) }
        #expect(readMe.contains("Type the number, too") == !option.isEmpty)
    }

    /// More than any search takes: heirs are told what may be missing and how to find it, and the owner is warned.
    @Test(arguments: [(9_999, false), (10_000, true), (20_000, true)] as [(UInt32, Bool)])
    func whatNoSearchIsSureToFindIsSaid(_ index: UInt32, _ isTold: Bool) throws {
        let kit = try sample.kit(coinAt: index)
        let text = KitText(kit)
        #expect(text.steps.map(\.command).contains("tapkit wallet sync w --gap-limit 10000"))
        let distance = "The wallet's address number \(index) was paid, but tapkit searches at most 10000 unused"
        let readMe = line(text.readMe)
        #expect(readMe.contains(distance) == isTold)
        #expect(readMe.contains("import core.json (importdescriptors) into a Bitcoin Core wallet") == isTold)
        #expect(readMe.contains("sign it with tapkit sign ~/payment.psbt instead of tapkit tx sign.") == isTold)
        let (page, needed) = (line(try KitPage(kit, text).svg), "search at least \(index + 1)")
        #expect(readMe.contains(needed) && page.contains(needed))
        #expect(text.advice.contains { $0.hasPrefix("WARNING: \(distance)") } == isTold)
    }

    /// What was given out and is not paid yet, only the owner knows.
    @Test func theOwnerIsToldWhatHeirsDoNotFind() throws {
        let advice = try KitText(sample.kit()).advice
        #expect(advice.contains { $0.contains("20 or more after the last paid one") && $0.contains("wallet sync w") })
    }

    /// The files of an earlier payment would be signed again, or be in the way.
    @Test func theSecondPaymentHasItsOwnFiles() throws {
        let steps = try KitText(sample.kit()).steps
        let create = try #require(steps.first { $0.command.hasPrefix("tapkit tx create") })
        #expect(create.command.hasSuffix("-o ~/payment.psbt"))
        #expect(create.text.contains("first move ~/payment.psbt and ~/payment.signed.psbt to another folder"))
    }
}
