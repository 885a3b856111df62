import AnswerDocuments
import ArgumentParser
import Bitcoin
import FrontEndText
import TapManager
import TapProtocol
import TextLayout

/// `tapkit slots`: every slot of a SATSCARD.
struct SlotsVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slots", abstract: "List every slot of a SATSCARD with its state and address.",
        discussion: """
            The sealed slot's address is proven. With --cvc-file (- to type it), each unsealed slot's address is proven \
            by a signature, and its key stays in the card. --show-keys reads the keys: anyone who can listen to the reader \
            then learns the CVC, or nearly all of it, and can use it to unseal the slot that is still sealed.

            --balance asks the chain server what every address holds; the server learns that the addresses belong \
            together.
            """)

    @OptionGroup var options: GlobalOptions

    @Flag(help: "Show the private keys of unsealed slots; needs the CVC, and asks first.")
    var showKeys = false

    @Flag(help: "Ask the chain server what every slot holds, and show the total.")
    var balance = false

    func run() async throws {
        let invocation = try Invocation(options, to: .looking, asksChain: balance)
        let (manager, network) = (invocation.manager, invocation.network)
        let card = try await invocation.card()
        let shown = try card.network(asked: network)
        // Before a CVC is asked for.
        if balance { try manager.requireChainServer(for: .holdings, on: shown) }
        let slots = try await invocation.during {
            showKeys
                ? try await manager.slotsWithKeys(of: card, network: network)
                : try await manager.slots(of: card, network: network, provingKeys: invocation.hasCVC(of: card))
        }
        let holdings = balance ? try await manager.holdings(of: slots, on: shown) : nil
        // The slots are shown even if the store cannot be read.
        let unsent = (try? manager.unsentSweeps(of: slots)) ?? []
        let mark = SimulatedMark.text(if: card.isSimulated)
        invocation.console.answer(
            SlotsDocument(slots, holdings, unsent: unsent, of: card, showingKeys: showKeys),
            ["\(mark)SATSCARD \(card.ident.called(card.name))"] + lines(slots, holdings) + unsent.map(\.unsentWords)
                + (unsent.isEmpty && Self.isExposed(slots, holdings) ? [Self.sweepAdvice] : []),
            remarks: remarks(slots))
    }

    private func remarks(_ slots: [SlotReport]) -> [String] {
        if showKeys, slots.allSatisfy({ $0.state != .unsealed }) { return [SlotText.noKeys] }
        return slots.contains { $0.state == .unsealed && !$0.isAddressProven } ? [CVCAdvice.offer] : []
    }

    private static let sweepAdvice = "Unsealed slots hold money. Next: tapkit sweep --to ADDRESS"

    /// Whether an unsealed slot holds coins.
    private static func isExposed(_ slots: [SlotReport], _ holdings: SlotHoldings?) -> Bool {
        zip(slots, holdings?.slots ?? []).contains { $0.state == .unsealed && !$1.coins.isEmpty }
    }

    private func lines(_ slots: [SlotReport], _ holdings: SlotHoldings?) -> [String] {
        let table = SlotText.table(slots, holdings) { report in
            showKeys ? report.opened.map { OpenedSlotText.lines($0) } ?? [] : []
        }
        var lines = options.console.lines(table) + (SlotText.commonRemark(slots).map { [$0] } ?? [])
        if let holdings {
            let network = slots.lazy.compactMap(\.address).first?.network ?? .main
            lines.append("Total: \(holdings.total.text(on: network)), according to \(holdings.server).")
        }
        if slots.first?.state == .unsealed { lines.append(SlotText.printedCodeWarning) }
        return lines
    }
}
