import Bitcoin
import ByteCodec
import FlowSupport
import TapManager
import TapProtocol
import TestSupport
import Testing

/// The flows of a SATSCARD.
extension HabitFlow {
    static let slots = HabitFlow(name: "slots") { bench in try await bench.reports().map(text).joined(separator: "; ") }

    static let slotsWithCVC = HabitFlow(name: "slots with CVC") { bench in
        try await bench.reports(cvc: cvc).map(text).joined(separator: "; ")
    }

    static let slotsWithKeys = HabitFlow(name: "slots with keys") { bench in
        let reports = try await bench.reportsWithKeys()
        for opened in reports.compactMap(\.opened) { try bench.expectOwn(opened) }
        return reports.map(text).joined(separator: "; ")
    }

    static let address = HabitFlow(name: "address") { text(try await $0.report()) }

    static let unseal = HabitFlow(name: "unseal") { bench in
        let result = try await bench.unseal()
        try bench.expectOwn(result.opened)
        return "\(result.opened.slot) \(result.opened.walletImportFormat) \(result.wasOpenedBefore) "
            + "\(result.next?.description ?? "none") \(result.opened.chainCode)"
    }

    /// The key is a new one each time; it is the one that the card has.
    static let nextSlot = HabitFlow(name: "set the next slot up") { bench in
        let result = try await bench.setUpNextSlot(chainCode: ChainCode(repeating: 6), isNamed: true)
        #expect(result.report.address?.description == (try bench.slots()[result.report.slot.index].address))
        return "\(result.report.slot) \(result.report.state) \(result.report.isAddressProven) "
            + "\(result.report.isSealProven) \(result.hasOurChainCode)"
    }

    static let message = HabitFlow(name: "sign a message with a slot") { try await signed($0, by: .slot(nil)) }

    static let sweep = HabitFlow(name: "sweep") { bench in
        let transaction = try await bench.sweep(try bench.sweepPlan())
        return "\(transaction.inputs.count) inputs, \(transaction.outputs.map(\.value))"
    }

    private static func text(_ report: SlotReport) -> String {
        "\(report.slot) \(report.state) \(report.address?.description ?? "no address") \(report.isAddressProven) "
            + "\(report.isSealProven) \(report.opened?.walletImportFormat ?? "no key")"
    }
}
