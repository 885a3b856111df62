import Bitcoin
import ByteCodec

/// `dump`: a slot's content; with the CVC, the keys of an unsealed slot.
///
/// Verified: the slot is the requested one, if the response names it, and its state agrees with `status`. For an unsealed
/// slot without the CVC: the address is that of the public key, if the card gives both; nothing proves that the card has
/// the key. With the CVC: as for `unseal`.
///
/// Spec: protocol, "Commands", "Nonces" (always a new one) and "What must be verified, always".
struct DumpCommand: TapCommand {
    static let name = "dump"
    static let products: Set<CardProduct> = [.satscard]
    static let alwaysChangesNonce = true

    /// Any slot of the card.
    let slot: SlotNumber

    static func authentication(for product: CardProduct) -> Authentication { .optional }

    func arguments(in exchange: Exchange) -> CBORMap { ["slot": .unsigned(UInt64(clamping: slot.index))] }

    func response(from fields: ResponseFields, in exchange: Exchange) throws(TapError) -> SlotContent {
        try fields.confirmSlot(slot)
        // `used: true` means the same as no `used` at all.
        let isUsed = fields.has("used") ? try fields.flag("used") : true
        let isSealed = fields.has("sealed") ? try fields.flag("sealed") : nil
        if fields.has("privkey") {
            guard isUsed else { throw fields.bad("privkey", "belongs to an unused slot") }
            guard isSealed != true else { throw fields.bad("privkey", "belongs to a sealed slot") }
            guard exchange.sessionKey != nil else { throw fields.bad("privkey", "was sent without a CVC") }
            return .opened(try OpenedSlot(slot: slot, fields: fields, in: exchange))
        }
        guard isUsed else {
            guard isSealed != true else { throw fields.bad("sealed", "is set for an unused slot") }
            fields.ignore(["sealed"] + Self.publicFields, beside: "`used: false`")
            return .unused
        }
        guard isSealed != true else {
            fields.ignore(Self.publicFields, beside: "`sealed: true`")
            return .sealed
        }
        // Without this field, the response to another command could pass for one to this.
        guard isSealed == false else { throw fields.bad("sealed", "is missing") }
        guard exchange.sessionKey == nil else { throw fields.bad("privkey", "is missing") }
        return try claimed(from: fields, on: exchange.card)
    }

    /// The fields of an unsealed slot other than its private key.
    private static let publicFields = ["addr", "pubkey", "master_pk", "chain_code"]

    func verify(_ response: SlotContent, in exchange: Exchange) throws(TapError) {
        let card = exchange.card
        guard let slots = card.slots else { return }
        let isConsistent =
            switch response {
            case .unused: slot.index > slots.active || slot.index == slots.active && card.address == nil
            case .sealed: slot.index == slots.active && card.address != nil
            case .unsealed, .opened: slot.index < slots.active || card.mayHaveOpened(slot)
            }
        guard isConsistent else {
            throw .badProof(.slotState, detail: "what the card reports for slot \(slot) contradicts its status")
        }
        if case .unsealed(let address, let key) = response {
            try compare(address, key, with: exchange)
        }
    }

    /// An unsealed slot as the card describes it without the CVC.
    private func claimed(from fields: ResponseFields, on card: CardStatus) throws(TapError) -> SlotContent {
        let key = fields.has("pubkey") ? try fields.publicKey("pubkey") : nil
        if !fields.has("addr"), let key, let address = card.slotAddress(of: key) {
            fields.note("`addr` is missing")
            return .unsealed(address, key)
        }
        let address: Address
        do {
            address = try Address(parsing: try fields.text("addr", maximumLength: 90), network: card.network)
        } catch let error as TapError {
            throw error
        } catch {
            throw fields.bad("addr", "is not an address of the card's network")
        }
        guard case .p2wpkh = address.template else { throw fields.bad("addr", "is not a single-key address") }
        return .unsealed(address, key)
    }

    private func compare(_ address: Address, _ key: PublicKey?, with exchange: Exchange) throws(TapError) {
        let known = exchange.knownKeys.slotKey(slot)
        for key in [key, known].compactMap({ $0 }) where exchange.card.slotAddress(of: key) != address {
            throw .badProof(.address, detail: "the address of slot \(slot) is not that of its key")
        }
        if let key, let known, known != key {
            throw .badProof(.slotKey, detail: "the key of slot \(slot) is not the one the card gave before")
        }
    }
}
