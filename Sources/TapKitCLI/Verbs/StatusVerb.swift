import AnswerDocuments
import ArgumentParser
import Bitcoin
import TapManager
import TapProtocol

/// `tapkit status`: what the card is, whether it is genuine, its state, and what to do next.
struct StatusVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show what the card is and its state; needs no CVC.")

    @OptionGroup var options: GlobalOptions

    private struct Answer: Encodable {
        let product: String
        let ident: String
        /// The name that the user gave the card.
        let name: String?
        let version: String
        /// As reported by the card; absent if it reports none.
        let birthHeight: Int?
        /// The requested one, whose form the address has; otherwise the card's: `main` or `test`.
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
        /// Whether the card's certified key signed that the slot is sealed; only with `address`.
        let sealVerified: Bool?
        let tampered: Bool
        let simulated: Bool?
        let reader: String
        /// Interrupted flows of this card.
        let unfinished: [UnfinishedFlowDocument]
        /// Stored sweeps of this card that were not sent; absent for other products.
        let unsent: [TransactionSummaryDocument]?
        /// Why something of the local store is not used; absent if all of it is.
        let problems: [ProblemDocument]?
    }

    func run() async throws {
        try options.requireSense()
        let invocation = try Invocation(options, to: .looking, usesCVC: false, answersTampering: !options.isJSON)
        let card = try await invocation.card()
        let proof = try await invocation.manager.prove(card)
        let (status, verdict) = (proof.status, proof.verdict)
        let network = try card.network(asked: invocation.network)
        let slot = proof.slotState
        let address = StatusText.address(proof, of: card, on: invocation.network)
        let (unfinished, errors) = invocation.manager.unfinished(of: status.ident)
        // The card is shown even if the store cannot be read.
        let unread = errors.map { ProblemDocument(Failure($0)) }
        for problem in unread { invocation.console.note(lines: problem.lines) }
        var problems = [invocation.storeProblem].compactMap(\.self) + unread
        var unsent: [TransactionListing] = []
        do { if verdict.isAccepted { unsent = try await invocation.manager.unsentSweeps(of: card) } } catch {
            let problem = ProblemDocument(Failure(unexpected: error))
            invocation.console.note(lines: problem.lines)
            problems.append(problem)
        }
        let isSigner = status.product != .satscard
        invocation.console.answer(
            Answer(
                product: status.product.rawValue, ident: status.ident.description, name: card.name,
                version: status.appletVersion.description, birthHeight: status.birthHeight,
                network: network.rawValue, cardPubkey: status.publicKey.description,
                genuine: verdict.isGenuine, root: verdict.rootName, rootKey: verdict.root?.description,
                authDelayS: status.authDelaySeconds, setUp: isSigner ? status.isSetUp : nil,
                path: status.path?.description, backups: status.backupCount,
                activeSlot: status.slots?.activeNumber.forPeople, slots: status.slots?.total,
                slotState: slot?.word, address: address?.description,
                sealVerified: address.map { _ in proof.activeSlot?.seal == .proven }, tampered: status.isTampered,
                simulated: card.isSimulated ? true : nil, reader: card.reader.spec,
                unfinished: unfinished.map(UnfinishedFlowDocument.init),
                unsent: isSigner ? nil : unsent.map(TransactionSummaryDocument.init),
                problems: problems.isEmpty ? nil : problems),
            StatusText(proof, of: card, on: invocation.network, unfinished: unfinished, unsent: unsent).lines)
    }
}
