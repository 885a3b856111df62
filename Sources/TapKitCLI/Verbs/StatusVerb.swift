import ArgumentParser
import Bitcoin
import TapManager
import TapProtocol

/// `tapkit status`: what the card is, whether it is genuine, what state it is in, and what to do next.
struct StatusVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "What the card is and what state it is in; needs no CVC.")

    @OptionGroup var options: GlobalOptions

    private struct Answer: Encodable {
        let product: String
        let ident: String
        /// What the person called the card.
        let name: String?
        let version: String
        /// As the card says; absent when it says nothing of it.
        let birthHeight: Int?
        let network: String
        let cardPubkey: String
        let genuine: Bool
        let root: String
        let rootKey: String?
        let authDelayS: Int
        let setUp: Bool?
        let path: String?
        let backups: Int?
        let activeSlot: Int?
        let slots: Int?
        let slotState: String?
        let address: String?
        /// Whether the card's certified key signed for the slot's as that of a sealed slot; with `address` only.
        let sealVerified: Bool?
        let tampered: Bool
        let simulated: Bool?
        let reader: String
        /// Flows of this card that were interrupted.
        let unfinished: [UnfinishedFlowDocument]
    }

    func run() async throws {
        let invocation = try Invocation(options, to: .looking, usesCVC: false)
        let card = try await invocation.card(isForLooking: true)
        let proof = try await invocation.manager.prove(card)
        let (status, verdict) = (proof.status, proof.verdict)
        let slot = proof.slotState
        let address = proof.addressToPay.map { (try? card.address($0, on: invocation.network)) ?? $0 }
        let isSimulated = card.isSimulated || verdict.isSimulator
        let (unfinished, problems) = invocation.manager.unfinished(of: status.ident)
        // A store that cannot be read does not keep the card from being shown.
        for problem in problems { invocation.console.note(Failure(problem).message) }
        let isSigner = status.product != .satscard
        invocation.console.answer(
            Answer(
                product: status.product.rawValue, ident: status.ident.description, name: card.name,
                version: status.appletVersion.description, birthHeight: status.birthHeight,
                network: status.isTestnet ? "test" : "main", cardPubkey: status.publicKey.description,
                genuine: verdict.isGenuine, root: verdict.rootName, rootKey: verdict.rootKey?.description,
                authDelayS: status.authDelaySeconds, setUp: isSigner ? status.isSetUp : nil,
                path: status.path?.description, backups: status.backupCount,
                activeSlot: status.slots?.activeNumber.forPeople, slots: status.slots?.total,
                slotState: slot?.word, address: address?.description,
                sealVerified: address.map { _ in proof.activeSlot?.seal == .proven }, tampered: status.isTampered,
                simulated: isSimulated ? true : nil, reader: card.reader.spec,
                unfinished: unfinished.map(UnfinishedFlowDocument.init)),
            StatusText(
                status, verdict: verdict, slot: slot, address: address, isSimulated: isSimulated,
                unfinished: unfinished,
                name: card.name
            ).lines)
    }
}
