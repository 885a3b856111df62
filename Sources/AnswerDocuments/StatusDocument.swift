import Bitcoin
import SmartCard
import TapManager
import TapProtocol

/// What a card is, as it proves and reports it without its CVC.
package struct StatusDocument: Encodable {
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
    /// Stored wallets for which it is time to rehearse spending with the kit and backups; absent if there are none.
    let drillsDue: [DueDrillDocument]?
    /// Why something of the local store is not used; absent if all of it is.
    let problems: [ProblemDocument]?

    /// A card that was asked for its proofs.
    /// - Parameters:
    ///   - asked: the requested network; `nil`: the card's.
    ///   - unsent: its sweeps that were not sent.
    ///   - dueDrills: the stored wallets whose drills are due.
    ///   - problems: why something of the local store is not used.
    /// - Throws: `CardSearchError.wrongNetwork`.
    package init(
        _ card: CardAtHand, _ proof: CardProof, on asked: Network?, unfinished: [UnfinishedFlowDocument],
        unsent: [TransactionListing], dueDrills: [StoredWallet], problems: [ProblemDocument]
    ) throws(CardSearchError) {
        let (status, verdict) = (proof.status, proof.verdict)
        let isSigner = status.product != .satscard
        product = status.product.rawValue
        ident = status.ident.description
        name = card.name
        version = status.appletVersion.description
        birthHeight = status.birthHeight
        network = try card.network(asked: asked).rawValue
        cardPubkey = status.publicKey.description
        (genuine, root, rootKey) = (verdict.isGenuine, verdict.rootName, verdict.root?.description)
        authDelayS = status.authDelaySeconds
        setUp = isSigner ? status.isSetUp : nil
        path = status.path?.description
        backups = status.backupCount
        activeSlot = status.slots?.activeNumber.forPeople
        slots = status.slots?.total
        slotState = proof.slotState?.word
        let address = proof.addressToPay(of: card, on: asked)
        self.address = address?.description
        sealVerified = address.map { _ in proof.activeSlot?.seal == .proven }
        tampered = status.isTampered
        simulated = card.isSimulated ? true : nil
        reader = card.reader.spec
        self.unfinished = unfinished
        self.unsent = isSigner ? nil : unsent.map(TransactionSummaryDocument.init)
        drillsDue = dueDrills.isEmpty ? nil : dueDrills.map(DueDrillDocument.init)
        self.problems = problems.isEmpty ? nil : problems
    }
}

extension CardProof {
    /// The active slot's address in the form of a network, if it may be paid to.
    package func addressToPay(of card: CardAtHand, on network: Network?) -> Address? {
        addressToPay.map { (try? card.address($0, on: network)) ?? $0 }
    }
}

extension ActiveSlotState {
    /// For programs; `nil` if it is not known.
    package var word: String? {
        switch self {
        case .sealed: "sealed"
        case .unused: "unused"
        case .sealedOrOpened, .unusedOrOpened: nil
        case .usedUp: "unsealed"
        }
    }
}
