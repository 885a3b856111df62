import Bitcoin
import TapProtocol

/// Signs messages with a card, so that others can check who controls an address.
package struct MessageFlow: Sendable {
    private let driver: CardDriver
    private let cvc: CVC
    private let network: Network

    /// A flow for one card and its CVC.
    /// - Parameter network: the network of the address that is shown.
    package init(driver: CardDriver, cvc: CVC, network: Network) {
        self.driver = driver
        self.cvc = cvc
        self.network = network
    }

    /// Signs a message and verifies the complete result, as anyone else would.
    ///
    /// Wire: `check`, `certs`, then `derive` and `sign`, with another `sign` before it (the probe) for an account that
    /// the store does not have as proven; or `dump` and two times `sign` for a SATSCARD's slot, the first one its
    /// probe.
    /// - Parameters:
    ///   - message: UTF-8, signed unchanged.
    ///   - format: `.bip137`, or `.bip322Simple` for a P2WPKH address.
    /// - Throws: `FlowError.unsupportedMessageFormat`; `.slotSealed`, `.slotUnused` for a slot that is not unsealed;
    ///   `.card` with the proof that failed.
    ///
    /// Spec: BIP-137; BIP-322, "Simple".
    package func sign(
        _ message: [UInt8], by signer: MessageSigner, format: MessageSignatureFormat
    ) async throws(FlowError) -> MessageSignature {
        switch signer {
        case .path(let subpath, let kind): try await sign(message, at: subpath, below: nil, as: kind, format: format)
        case .slot(let slot): try await sign(message, by: slot, confirmed: nil, format: format)
        }
    }

    /// The slot that would sign, and its address as the card claims it: nothing proves it without the CVC.
    ///
    /// Wire: `check`, `certs`, `dump`.
    /// - Throws: `FlowError`: `.slotSealed`, `.slotUnused`, `.noSuchSlot`, ….
    static func signingSlot(
        _ slot: SlotNumber?, of driver: CardDriver
    ) async throws(FlowError) -> (slot: SlotNumber, address: Address) {
        try await driver.performProven(task: .signMessage, on: [.satscard], usesCVC: false) { session, proof in
            try unsealed(try openedSlot(slot, on: session, proof))
        }
    }

    /// Signs with the key at these steps below a path, and moves the card there without releasing it.
    /// - Parameter account: the path; `nil`: the card's own.
    func sign(
        _ message: [UInt8], at subpath: DerivationPath, below account: DerivationPath?, as kind: ScriptKind?,
        format: MessageSignatureFormat
    ) async throws(FlowError) -> MessageSignature {
        let (cvc, network, events, journal) = (cvc, network, driver.events, driver.journal)
        let prover = AccountProver(journal: journal, cvc: cvc)
        return try await driver.performAuthenticated(task: .signMessage) { session in
            let present = session.status.path ?? DerivationPath()
            let owed = account == nil ? try journal.owedPath(from: session.status.path) : nil
            let path = account ?? owed ?? present
            if account == nil, path != present { events(.changingPath(path)) }
            let kind = kind ?? ScriptKind(accountPath: path) ?? .p2wpkh
            let earlier = prover.departures.first(to: path, from: present)
            let account = try session.account(at: path, cvc: cvc)
            // Anyone who knows the message could sign it with their own key, and the address would be theirs.
            try prover.prove(account.key, at: path, on: session, movedFrom: earlier)
            guard let key = try? account.key.descendant(subpath).publicKey,
                let address = Address(scriptPubKey: kind.scriptPubKey(for: key), network: network)
            else { throw FlowError.badPath(path.appending(subpath)) }
            let text = try MessageText(message, key: key, kind: kind, format: format)
            events(.signingMessage(address))
            let signed = try session.sign(digest: text.digest, subpath: subpath, cvc: cvc)
            guard signed.publicKey == key else {
                throw TapError.badProof(.signingKey, detail: "the returned key does not belong to \(address)")
            }
            if owed != nil, owed != present { try journal.finishPathChange() }
            return try text.result(signed.signature, address: address)
        }
    }

    /// Signs with the key of a slot.
    /// - Parameter confirmed: the address that the user agreed to; with another one, the card is asked for no
    ///   signature. `nil`: any.
    func sign(
        _ message: [UInt8], by slot: SlotNumber?, confirmed: Address?, format: MessageSignatureFormat
    ) async throws(FlowError) -> MessageSignature {
        let (cvc, network, events) = (cvc, network, driver.events)
        return try await driver.performProven(
            task: .signMessage, on: [.satscard], usesCVC: true
        ) { session, proof in
            let report = try Self.openedSlot(slot, on: session, proof)
            let cardAddress = try Self.unsealed(report).address
            guard case .p2wpkh(let keyHash) = cardAddress.template,
                let address = Address(scriptPubKey: cardAddress.scriptPubKey, network: network)
            else { throw FlowError.slotUnused(report.slot) }
            guard confirmed == nil || confirmed?.scriptPubKey == address.scriptPubKey else {
                throw TapError.badProof(.address, detail: "the card shows a different address than before")
            }
            // Anyone who knows the message could sign it with their own key, and the address would be theirs.
            try session.probe(report.slot, at: cardAddress, cvc: cvc)
            // The digest for a P2WPKH address needs only the key's hash; the key is returned with the signature.
            events(.signingMessage(address))
            let digest = try MessageText.digest(of: message, keyHash: keyHash, format: format)
            let signed = try session.sign(digest: digest, slot: report.slot, address: cardAddress, cvc: cvc)
            return try MessageText(message, key: signed.publicKey, kind: .p2wpkh, format: format)
                .result(signed.signature, address: address)
        }
    }

    /// A slot that can sign, with its address.
    /// - Throws: `FlowError`: `.slotSealed`, `.slotUnused`.
    private static func unsealed(_ report: SlotReport) throws(FlowError) -> (slot: SlotNumber, address: Address) {
        guard report.state == .unsealed, let address = report.address else {
            throw report.state == .sealed ? .slotSealed(report.slot) : .slotUnused(report.slot)
        }
        return (report.slot, address)
    }

    /// The given slot, or the last one that was unsealed.
    private static func openedSlot(
        _ named: SlotNumber?, on session: TapSession, _ proof: CardProof
    ) throws -> SlotReport {
        guard let slots = session.status.slots else { throw FlowError.usedUp }
        if let named {
            guard (0..<slots.total).contains(named.index) else {
                throw FlowError.noSuchSlot(named, count: slots.total)
            }
            guard named == session.status.activeSlot else { return try session.inactiveSlotReport(named, .looking) }
            return try session.activeSlotReport(proof, .looking) ?? .unused(named)
        }
        if let active = try session.activeSlotReport(proof, .looking), active.state == .unsealed { return active }
        guard slots.active > 0 else { throw FlowError.slotSealed(SlotNumber(index: 0)) }
        return try session.inactiveSlotReport(SlotNumber(index: slots.active - 1), .looking)
    }
}
