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
