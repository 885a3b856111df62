import ArgumentParser
import Bitcoin
import ChainData
import TapManager
import TapProtocol

/// `tapkit slots`: every slot of a SATSCARD.
struct SlotsVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slots", abstract: "SATSCARD: every slot with its state and address.",
        discussion: """
            The sealed slot's address is proven. What the card says of opened slots is proven with --cvc-file, by a \
            signature of each, and their keys stay in the card. --show-keys takes them out: whoever can listen to the \
            reader then learns the CVC, or nearly all of it, and with it opens the slot that is still sealed.

            --balance asks the chain server what lies at every address; it learns that they belong together.
            """)

    @OptionGroup var options: GlobalOptions

    @Flag(help: "Show the private keys of opened slots; needs the CVC, and asks.")
    var showKeys = false

    @Flag(help: "Ask the chain server what every slot holds, and tell the total.")
    var balance = false

    private struct Answer: Encodable {
        struct Slot: Encodable {
            let slot: Int
            let state: String
            let address: String?
            let verified: Bool?
            let sealVerified: Bool?
            let wif: String?
            let descriptor: String?
            let confirmedSat: Int64?
            let unconfirmedSat: Int64?
            let utxos: [ChainCoinDocument]?
        }

        let slots: [Slot]
        let ident: String
        let totalSat: Int64?
        let server: String?
    }

    func run() async throws {
        let givenCVC = try options.cvcOptions.fromFile()
        let access = try await CardAtHand.open(options)
        let product = access.status.product
        guard product == .satscard else { throw Failure(FlowError.wrongProduct(product, task: "show slots")) }
        let source =
            balance
            ? try options.requiredChainSource(for: access.shownNetwork(options), to: "tell what the slots hold") : nil
        if showKeys {
            // Whether a slot is sealed is the card's word, and not to be relied on here.
            options.console.note(SlotText.listenerWarning)
            try Confirmation.require(
                "Show the private keys of opened slots on this screen?", options)
        }
        let card = try WatchedCard(access, options, options.lookingManager())
        let (gate, progress) = (card.gate, card.progress)
        let reports: [SlotReport]
        if showKeys {
            let source = try CVCSource(given: givenCVC, CVCPrompt(access, to: "show the keys of opened slots"))
            reports = try await source.unlock(card) { (cvc) async throws(FlowError) in
                try await SlotsFlow(gate: gate, takingKeysWith: cvc).all()
            }.result
        } else {
            reports = try await progress.during { () throws(FlowError) in
                try await SlotsFlow(gate: gate, cvc: givenCVC).all()
            }
        }
        let addresses = try reports.map { try $0.address.map { try access.shown($0, options) } }
        var holdings: SlotHoldings?
        if let source { holdings = try await SlotHoldings(of: addresses, from: source) }
        let slots = zip(reports, addresses)
        guard !options.isJSON else {
            JSONAnswer.write(
                Answer(
                    slots: slots.enumerated().map { index, slot in
                        let (report, address) = slot
                        let holding = address.flatMap { _ in holdings?.slots[index] }
                        return .init(
                            slot: report.slot.forPeople, state: report.state.rawValue, address: address?.description,
                            verified: address.map { _ in report.isAddressProven },
                            sealVerified: report.state == .sealed ? report.isSealProven : nil,
                            wif: showKeys ? report.opened?.walletImportFormat : nil,
                            descriptor: showKeys ? report.opened?.descriptor : nil,
                            confirmedSat: holding?.confirmed.satoshis, unconfirmedSat: holding?.unconfirmed.satoshis,
                            utxos: holding?.coins.map(ChainCoinDocument.init))
                    }, ident: access.status.ident.description, totalSat: holdings?.total.satoshis,
                    server: holdings.map { TerminalText.neutralized($0.server) }))
            return
        }
        let isSimulated = access.isSimulated || progress.hasSeenSimulator
        options.console.say("\(isSimulated ? "SIMULATED " : "")SATSCARD \(access.status.ident)")
        for (index, (report, address)) in slots.enumerated() {
            options.console.say("  " + SlotText.line(report, address: address))
            if address != nil, let holding = holdings?.slots[index] { options.console.say("    " + holding.text) }
            guard showKeys, let opened = report.opened else { continue }
            for line in OpenedSlotText.lines(opened) { options.console.say("  " + line) }
        }
        if let holdings { options.console.say("Total: \(holdings.total), says \(holdings.server).") }
        if reports.first?.state == .unsealed { options.console.say(SlotText.printedCodeWarning) }
    }
}
