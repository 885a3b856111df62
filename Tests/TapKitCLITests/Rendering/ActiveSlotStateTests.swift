import AnswerDocuments
import Bitcoin
import TapManager
import Testing

@testable import TapKitCLI
@testable import TapProtocol

@Suite struct ActiveSlotStateTests {
    private func status(
        _ active: Int, of total: Int = 10, product: CardProduct = .satscard
    ) throws -> CardStatus {
        CardStatus(
            product: product, appletVersion: AppletVersion(1, 0, 3), birthHeight: 700_001,
            publicKey: try SlotSamples.key(), isTestnet: false, authDelaySeconds: 0, path: nil, backupCount: nil,
            slots: product == .satscard ? .init(active: active, total: total) : nil, address: nil, isTampered: false)
    }

    private func active(_ slot: Int, _ seal: ActiveSlot.Seal) throws -> ActiveSlot {
        ActiveSlot(
            slot: SlotNumber(index: slot), publicKey: try SlotSamples.key(), address: try SlotSamples.address(),
            seal: seal)
    }

    /// What is known of the active slot, what `--json` says of it, and whether it is to be paid to.
    @Test func everyState() throws {
        let rows: [(ActiveSlotState?, word: String?, isToBePaidTo: Bool, text: String)] = [
            (ActiveSlotState(try status(0), try active(0, .proven)), "sealed", true, "sealed"),
            (ActiveSlotState(try status(9), try active(9, .proven)), "sealed", true, "sealed"),
            (ActiveSlotState(try status(3), try active(3, .unproven)), "sealed", true, "cannot prove"),
            (ActiveSlotState(try status(8), try active(8, .unproven)), "sealed", true, "cannot prove"),
            // A full card may go on showing the address of its last slot.
            (ActiveSlotState(try status(9), try active(9, .unproven)), nil, false, "sealed or unsealed"),
            (ActiveSlotState(try status(0, of: 1), try active(0, .unproven)), nil, false, "sealed or unsealed"),
            (ActiveSlotState(try status(9), try active(9, .absent)), "unsealed", false, "used up"),
            (ActiveSlotState(try status(0), nil), "unused", false, "unused"),
            (ActiveSlotState(try status(8), nil), "unused", false, "unused"),
            (ActiveSlotState(try status(9), nil), nil, false, "unused or unsealed"),
            (ActiveSlotState(try status(0, of: 1), nil), nil, false, "unused or unsealed"),
            (ActiveSlotState(try status(10), nil), "unsealed", false, "used up"),
        ]
        for (index, row) in rows.enumerated() {
            let state = try #require(row.0)
            #expect(state.word == row.word, "row \(index)")
            #expect(state.isToBePaidTo == row.isToBePaidTo, "row \(index)")
            #expect(state.text.contains(row.text), "row \(index): \(state.text)")
            for hasUnsealed in [false, true] {
                let step = state.nextStep(hasUnsealed: hasUnsealed)
                #expect(step.contains("tapkit"), "row \(index)")
                #expect(step.contains("tapkit address") == row.isToBePaidTo, "row \(index)")
            }
        }
    }

    /// What may still hold money is emptied first.
    @Test func unsealedSlotsAreSweptFirst() throws {
        let sweep = "tapkit sweep --to ADDRESS"
        let states: [ActiveSlotState] = [.unused(SlotNumber(index: 2)), .unusedOrOpened, .sealedOrOpened, .usedUp]
        for state in states { #expect(state.nextStep(hasUnsealed: true).hasPrefix(sweep), "\(state)") }
        let next = try #require(ActiveSlotState(try status(2), nil))
        #expect(next.nextStep(hasUnsealed: true).hasSuffix(", tapkit setup to give slot 3 a key"))
        #expect(next.nextStep(hasUnsealed: false) == "tapkit setup to give slot 3 a key")
    }

    @Test func anUnprovenSealIsNotCalledProven() throws {
        let (proven, unproven) = (
            ActiveSlotState(try status(0), try active(0, .proven)),
            ActiveSlotState(try status(0), try active(0, .unproven))
        )
        #expect(try #require(unproven).text != (try #require(proven)).text)
    }

    @Test(arguments: [CardProduct.tapsigner, .satschip]) func signersHaveNoSlots(_ product: CardProduct) throws {
        let state = ActiveSlotState(try status(0, product: product), nil)
        #expect(state.map { $0.text } == nil)
    }
}
