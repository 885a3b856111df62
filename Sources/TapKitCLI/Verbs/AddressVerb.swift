import ArgumentParser
import Bitcoin
import TapManager
import TapProtocol

/// `tapkit address`: the address to pay to, proven.
struct AddressVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "address", abstract: "Show the address to pay to, proven by the SATSCARD.",
        discussion: """
            Before the address is shown, the card proves that it is genuine, that it holds the slot's key, that the \
            slot is sealed, and that the key is derived from the slot's master key and chain code. A card before \
            version 1.0.0 can prove neither the seal nor that the key is its own: then you are asked first.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp("A slot other than the active one, numbered from 1.", valueName: "number"))
    var slot: Int?

    @OptionGroup var picture: QRCodeOptions

    private struct Answer: Encodable {
        let address: String
        let slot: Int
        let state: String
        let verified: Bool
        let sealVerified: Bool
        let uri: String?
        let qrFile: String?
        let warnings: [String]
        let ident: String
    }

    func run() async throws {
        let number = try slot.map { number throws(Failure) in try SlotArgument.parse(number) }
        let drawing = try picture.drawing()
        let invocation = try Invocation(options, to: .looking)
        let card = try await invocation.card()
        let (report, address) = try await invocation.during {
            try await invocation.manager.slot(
                number, of: card, network: invocation.network, provingKeys: invocation.hasCVC(of: card))
        }
        let code = try drawing.map { drawing in
            // A QR code invites people to pay.
            guard let invitation = report.invitation else {
                throw Failure(
                    .slotOpened,
                    "Slot \(report.slot) was unsealed: anyone who has seen its key can take what is paid to it.",
                    hint: "Leave --slot out to use the active slot.")
            }
            return try drawing.prepare(invitation)
        }
        let console = invocation.console
        console.answer(
            Answer(
                address: address.description, slot: report.slot.forPeople, state: report.state.rawValue,
                verified: report.isAddressProven, sealVerified: report.isSealProven,
                uri: report.invitation?.description, qrFile: drawing?.file?.path,
                warnings: report.cautions.map(SlotText.words), ident: card.ident.description),
            [address.description], remarks: lines(report, card, isSimulated: card.isSimulated))
        if let drawing, let code { try drawing.show(code, on: console) }
    }

    /// What is proven about the address. Goes to standard error, so that standard output has only the address.
    private func lines(_ report: SlotReport, _ card: CardAtHand, isSimulated: Bool) -> [String] {
        let mark = SimulatedMark.text(if: isSimulated)
        let state =
            switch (report.state, report.isSealProven) {
            case (.sealed, true): "sealed. Proven by the card."
            case (.sealed, false): "sealed, according to the card; nothing proves it."
            default: "UNSEALED" + (report.isAddressProven ? "." : ", according to the card; prove it with --cvc-file.")
            }
        return ["\(mark)SATSCARD \(card.ident), slot \(report.slot): \(state)"]
            + report.cautions.map(SlotText.words)
    }
}
