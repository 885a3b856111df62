import Bitcoin
import TapSimulator

@testable import TapProtocol

/// The calls of the client, and what their results must be.
extension SequenceRunner {
    /// Makes a call.
    /// - Returns: what it threw; `nil` when it succeeded, and its result agrees with the model.
    /// - Throws: `Disagreement`.
    func perform(_ call: ClientCall, _ session: TapSession) throws -> TapError? {
        do {
            let cvc = try digits.map { (digits) throws(TapError) in try CVC(digits) }
            switch call {
            case .status, .proveCard, .tapURL, .wait: try performForAll(call, session, cvc)
            case .read, .createSlotKey, .proveSlotOrigin, .unseal, .dump, .signSlot, .probeSlot:
                try performForSlots(call, session, cvc)
            default: try performForSigner(call, session, try cvc ?? CVC("000000"))
            }
            return nil
        } catch let error as TapError { return error }
    }

    var afterwards: ModelCard { expectation.card }

    private func performForAll(_ call: ClientCall, _ session: TapSession, _ cvc: CVC?) throws {
        switch call {
        case .status: try check(session.refreshStatus())
        case .proveCard:
            let proof = try session.proveCard(customRoots: [place.root])
            try agree(proof.verdict == .custom(root: place.root), "the card's root is \(proof.verdict)")
            try check(session.status)
            let card = afterwards
            try agree(
                (proof.activeSlot != nil) == card.hasActiveKey, "an active slot \(String(describing: proof.activeSlot))"
            )
            guard let slot = proof.activeSlot else { return }
            try agree(slot.slot.index == card.activeSlot, "the active slot is \(slot.slot.index)")
            try place.keys.learn(slot.publicKey, of: card.activeSlot)
            let seal: ActiveSlot.Seal =
                card.version >= .v100 ? .proven : .unproven
            try agree(slot.seal == seal, "the slot's seal is \(slot.seal) instead of \(seal)")
        case .tapURL:
            let host =
                switch place.card.product {
                case .tapsigner: "tapsigner.com"
                case .satscard: "getsatscard.com"
                case .satschip: "satschip.com"
                }
            let link = try session.tapURL()
            try agree(link.hasPrefix("https://\(host)/start#"), "the link is \(link)")
        default:
            let left = try session.wait(cvc: cvc)
            try agree(left == afterwards.delay, "\(left) s of delay are left instead of \(afterwards.delay)")
        }
    }

    /// Compares what the card says of itself with the model.
    func check(_ status: CardStatus) throws {
        let card = afterwards
        try agree(status.ident == place.ident, "the ident is \(status.ident)")
        try agree(status.product.rawValue == card.product.rawValue, "the product is \(status.product)")
        try agree(status.appletVersion.description == card.version.rawValue, "version \(status.appletVersion)")
        try agree(status.isTampered == card.isTampered, "tampered with: \(status.isTampered)")
        try agree(status.isTestnet == card.isTestnet, "another network")
        try agree(status.authDelaySeconds == card.delay, "a delay of \(status.authDelaySeconds) s")
        try agree(status.path == card.derivationPath, "the path is \(String(describing: status.path))")
        try agree(
            status.backupCount == (card.product == .tapsigner ? card.backups : nil),
            "\(String(describing: status.backupCount)) backups")
        try agree(
            status.slots.map { [$0.active, $0.total] }
                == (card.isSatscard ? [card.activeSlot, card.slots.count] : nil),
            "slots \(String(describing: status.slots))")
        try agree((status.address != nil) == card.hasActiveKey, "the address is \(String(describing: status.address))")
        if let address = status.address { try place.keys.learn(address, of: card.activeSlot) }
    }

    private func performForSlots(_ call: ClientCall, _ session: TapSession, _ cvc: CVC?) throws {
        let required = try cvc ?? CVC("000000")
        let active = place.card.activeSlot
        switch call {
        case .createSlotKey(let chainCode, _):
            try session.createSlotKey(chainCode: chainCode.chainCode, cvc: required)
            try check(session.status)
        case .proveSlotOrigin(let choice):
            let known = place.card.chainCodes[active]
            let asked: ChainCode? =
                switch choice {
                case .any: nil
                case .right: known
                case .wrong: ChainCode(repeating: 0xEE)
                }
            try learn(try session.proveSlotOrigin(chainCode: asked), of: active)
        case .unseal: try check(session.unseal(cvc: required), active)
        case .dump(let slot, _): try check(session.dump(SlotNumber(index: slot), cvc: cvc), slot)
        case .signSlot(let digest, let slot, let isRight, _):
            // A slot that is not opened has no key to expect; any address will do.
            let key = isRight ? try slotKey(slot) ?? place.root : place.root
            let signed = try session.sign(
                digest: digest, slot: SlotNumber(index: slot), address: address(of: key, session), cvc: required)
            try place.keys.learn(signed.publicKey, of: slot)
            try agree(signed.publicKey.isValid(signed.signature, for: digest), "the signature is wrong")
        case .probeSlot(let slot, let isRight, _):
            let key = isRight ? try slotKey(slot) ?? place.root : place.root
            try session.probe(SlotNumber(index: slot), at: address(of: key, session), cvc: required)
            try place.keys.learn(key, of: slot)
        default: try place.keys.learn(try session.read(), of: active)
        }
    }

    private func address(of key: PublicKey, _ session: TapSession) throws -> Address {
        guard let address = session.status.slotAddress(of: key) else { throw Disagreement("a key without address") }
        return address
    }

    private func slotKey(_ slot: Int) throws -> PublicKey? {
        guard place.card.slots.indices.contains(slot), place.card.slots[slot] == .opened else { return nil }
        if let key = place.keys.slotKeys[slot] { return key }
        return try place.simulated.record.slotKey(slot)?.publicKey
    }

    private func learn(_ origin: SlotOrigin, of slot: Int) throws {
        try place.keys.learn(origin, of: slot)
        if let supplied = place.card.chainCodes[slot] {
            try agree(origin.chainCode == supplied, "slot \(slot) has not the chain code that was supplied")
        }
    }

    private func check(_ content: SlotContent, _ slot: Int) throws {
        let state = place.card.slots[slot]
        switch content {
        case .unused: try agree(state == .unused, "slot \(slot) is unused")
        case .sealed: try agree(state == .sealed, "slot \(slot) is sealed")
        case .unsealed(let address, let key):
            try agree(state == .opened && digits == nil, "slot \(slot) is open")
            try agree((key != nil) == (place.card.version >= .v103), "slot \(slot) has a key: \(key != nil)")
            if let key { try place.keys.learn(key, of: slot) }
            if let shown = place.keys.addresses[slot] {
                try agree(shown.matches(address), "slot \(slot) has the address \(address)")
            }
        case .opened(let opened):
            try agree(state == .opened && digits != nil, "slot \(slot) is open")
            try check(opened, slot)
        }
    }

    /// An opened slot's key is the one that was shown before, and follows from its master key.
    private func check(_ opened: OpenedSlot, _ slot: Int) throws {
        try agree(opened.slot.index == slot, "slot \(opened.slot) instead of \(slot)")
        try agree(opened.privateKey.publicKey == opened.publicKey, "the private key is not that of the public key")
        let isTampered = place.card.selfOpenedSlots.contains(slot)
        try agree(opened.isTampered == isTampered, "slot \(slot) is tampered with: \(opened.isTampered)")
        try place.keys.learn(opened.publicKey, of: slot)
        try learn(SlotOrigin(masterKey: opened.masterKey.publicKey, chainCode: opened.chainCode), of: slot)
        if let shown = place.keys.addresses[slot] {
            try agree(shown.matches(opened.address), "slot \(slot) has the address \(opened.address)")
        }
    }
}
