import Bitcoin
import FlowSupport
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// What is said with a slot's address, and whether it is an invitation to pay.
@Suite struct SlotCautionTests {
    @Test func everyState() throws {
        let address = try #require(Address(scriptPubKey: WalletBench.stranger, network: .test))
        func report(_ state: SlotReport.State, _ index: Int, proven: Bool) -> SlotReport {
            SlotReport(
                slot: SlotNumber(index: index), state: state, address: address, isAddressProven: proven,
                isSealProven: proven && state == .sealed, opened: nil)
        }
        let rows: [(SlotReport, [SlotCaution], isPayable: Bool)] = [
            (report(.sealed, 0, proven: true), [], true), (report(.sealed, 3, proven: true), [.notPrinted], true),
            (report(.sealed, 0, proven: false), [.sealNotProven], true),
            (report(.sealed, 3, proven: false), [.sealNotProven, .notPrinted], true),
            (report(.unsealed, 0, proven: true), [.opened], false),
            (report(.unsealed, 2, proven: false), [.opened, .notPrinted], false),
        ]
        for (index, (report, cautions, isPayable)) in rows.enumerated() {
            #expect(report.cautions == cautions, "row \(index)")
            #expect((report.invitation?.addressText == address.description) == isPayable, "row \(index)")
        }
    }
}
