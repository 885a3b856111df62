import Bitcoin
import TapSimulator

@testable import TapProtocol

/// A simulated card, and what the model has of it.
struct CardPlace {
    let simulated: SimulatedCard
    let root: PublicKey
    let ident: CardIdent
    let unluckyPercent: Int
    let backupKey: Backup.Key?
    var card: ModelCard
    var keys = ModelKeys()

    init(_ options: SimulatedCardOptions) throws {
        simulated = try SimulatedCard(options, waitDuration: .zero)
        let record = simulated.record
        root = try record.rootKey
        ident = CardIdent(of: try record.cardKey)
        unluckyPercent = options.unluckyPercent
        backupKey = try record.aesKey.map { try Backup.Key(hex: $0) }
        card = ModelCard(
            product: options.product, version: options.version, isTestnet: options.network == .test,
            publicKey: try record.cardKey.bytes, cvc: record.cvc)
        guard options.product == .satscard else { return }
        card.slots = [ModelCard.Slot](repeating: .unused, count: 10)
        for slot in 0..<options.usedSlots { card.slots[slot] = .opened }
        if !options.isBlank, options.usedSlots < 10 { card.slots[options.usedSlots] = .sealed }
    }

    /// Compares the model with the simulated card's own record.
    /// - Parameter isThorough: with the states and addresses of slots, which takes some time.
    func compare(isThorough: Bool) throws {
        let record = simulated.record
        try agree(record.cvc == card.cvc, "the card's CVC is \(record.cvc) instead of \(card.cvc)")
        try agree(
            record.wrongAttempts == card.wrongTries,
            "the card has counted \(record.wrongAttempts) wrong CVCs instead of \(card.wrongTries)")
        try agree(record.authDelay == card.delay, "the card's delay is \(record.authDelay) instead of \(card.delay)")
        try agree(record.isTampered == card.isTampered, "the card calls itself tampered with: \(record.isTampered)")
        try agree(record.path == card.derivationPath, "the card stands at \(String(describing: record.path))")
        try agree(
            record.backups == (card.product == .tapsigner ? card.backups : nil),
            "the card has counted \(String(describing: record.backups)) backups instead of \(card.backups)")
        guard isThorough, let slots = try record.slots else { return }
        for slot in slots {
            let state: SimulatedCardRecord.Slot.State =
                switch card.slots[slot.number] {
                case .unused: .unused
                case .sealed: .sealed
                case .opened: .unsealed
                }
            try agree(slot.state == state, "slot \(slot.number) of the card is \(slot.state) instead of \(state)")
            if let shown = keys.addresses[slot.number] {
                let text = slot.address ?? ""
                try agree(
                    text.hasPrefix(shown.head) && text.hasSuffix(shown.tail),
                    "slot \(slot.number) of the card has another address than was shown")
            }
        }
    }
}

extension ModelCard {
    /// The path, in the client's words.
    var derivationPath: DerivationPath? { path.map { DerivationPath($0.map(ChildNumber.init(rawValue:))) } }
}
