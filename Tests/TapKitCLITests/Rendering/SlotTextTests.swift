import Bitcoin
import Testing

@testable import TapKitCLI
@testable import TapManager
@testable import TapProtocol

@Suite struct SlotTextTests {
    private func line(_ report: SlotReport) -> String { SlotText.line(report, address: report.address) }

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
        #expect(line(.unused(SlotNumber(index: 0))) == "Slot 1: unused")
        #expect(line(.unused(SlotNumber(index: 9))) == "Slot 10: unused")
        #expect(line(try sealed(2, .proven)) == "Slot 3: sealed \(address)")
        #expect(
            line(try sealed(2, .unproven))
                == "Slot 3: sealed \(address) (says the card; its version cannot prove it)")
        #expect(line(try unsealed(0, isProven: true)) == "Slot 1: UNSEALED \(address)")
        #expect(
            line(try unsealed(0, isProven: false))
                == "Slot 1: UNSEALED \(address) (says the card, not proven; --cvc-file proves it)")
    }

    /// An address for another network than the card's is shown as that network writes it.
    @Test func theAddressIsTheOneThatIsGiven() throws {
        let report = try sealed(0, .proven)
        let regtest = try #require(report.address.flatMap { Address(scriptPubKey: $0.scriptPubKey, network: .regtest) })
        #expect(SlotText.line(report, address: regtest).contains("bcrt1q"))
        #expect(!SlotText.line(report, address: nil).contains("bc1"))
    }

    @Test func openedSlotsStandOut() {
        #expect(SlotText.words(.unsealed) == "UNSEALED")
        #expect([SlotReport.State.unused, .sealed].allSatisfy { SlotText.words($0) == $0.rawValue })
        #expect(SlotText.printedCodeWarning.contains("must not be used"))
    }
}
