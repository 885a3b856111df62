import Bitcoin
import Testing
import TextLayout

@testable import TapKitCLI
@testable import TapManager
@testable import TapProtocol

@Suite struct SlotTextTests {
    private func lines(_ report: SlotReport) -> [String] {
        Array(SlotText.table([report], nil).lines(width: nil).dropFirst())
    }

    private func sealed(_ slot: Int, _ seal: ActiveSlot.Seal) throws -> SlotReport {
        .sealed(
            ActiveSlot(
                slot: SlotNumber(index: slot), publicKey: try SlotSamples.key(), address: try SlotSamples.address(),
                seal: seal))
    }

    private func unsealed(_ slot: Int, isProven: Bool) throws -> SlotReport {
        .unsealed(SlotNumber(index: slot), try SlotSamples.address(), isProven: isProven)
    }

    /// People count slots from 1.
    @Test func everyLine() throws {
        let address = SlotSamples.text
        #expect(lines(.unused(SlotNumber(index: 0))) == ["   1  unused"])
        #expect(lines(.unused(SlotNumber(index: 9))) == ["  10  unused"])
        #expect(lines(try sealed(2, .proven)) == ["   3  sealed  \(address)"])
        #expect(
            lines(try sealed(2, .unproven)) == [
                "   3  sealed  \(address)", "  According to the card; its version cannot prove it.",
            ])
        #expect(lines(try unsealed(0, isProven: true)) == ["   1  UNSEALED  \(address)"])
        #expect(
            lines(try unsealed(0, isProven: false)) == [
                "   1  UNSEALED  \(address)", "  According to the card; prove it with --cvc-file.",
            ])
    }

    /// What is true of all slots is said once.
    @Test func whatIsTrueOfAllIsSaidOnce() throws {
        let unproven = try (0..<10).map { try unsealed($0, isProven: false) }
        #expect(SlotText.commonRemark(unproven)?.contains("prove them with --cvc-file") == true)
        #expect(SlotText.table(unproven, nil).lines(width: 80).count == 11)
        let mixed = [try unsealed(0, isProven: true), try unsealed(1, isProven: false), try sealed(2, .unproven)]
        #expect(SlotText.commonRemark(mixed) == nil && SlotText.commonRemark(Array(unproven.prefix(1))) == nil)
        let lines = SlotText.table(mixed, nil).lines(width: 80)
        #expect(lines.count { $0.contains("According to the card") } == 2)
        // One seal that nothing proves keeps its own words.
        let sealedToo = SlotText.table(Array(unproven.prefix(2)) + [try sealed(2, .unproven)], nil).lines(width: 80)
        #expect(sealedToo.count { $0.contains("According to the card; its version") } == 1 && sealedToo.count == 5)
    }

    /// An address that money may be sent to is never cut.
    @Test(arguments: [50, 80, 160]) func addressesStayWhole(_ width: Int) throws {
        let slots = [try unsealed(0, isProven: true), try sealed(1, .proven), .unused(SlotNumber(index: 2))]
        let lines = SlotText.table(slots, nil).lines(width: width)
        #expect(lines.count { $0.contains(SlotSamples.text) } == 2)
        #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= width })
    }

    @Test func openedSlotsStandOut() {
        #expect(SlotText.words(.unsealed) == "UNSEALED")
        #expect([SlotReport.State.unused, .sealed].allSatisfy { SlotText.words($0) == $0.rawValue })
        #expect(SlotText.printedCodeWarning.contains("do not use"))
    }
}
