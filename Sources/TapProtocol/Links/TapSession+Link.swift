import Bitcoin

/// A card's own link, verified.
public struct CardLink: Hashable, Sendable {
    /// The link as the card gave it.
    public let url: String
    /// What it proves; `nil` for a card without a key to sign it.
    public let proven: TapLink?
    /// Where the card gave it.
    public let source: Source

    /// Where a card shows its link. The raw value is what `tapkit url --json` shows.
    public enum Source: String, Sendable {
        /// The command `nfc`.
        case command
        /// The NFC tag that a phone reads.
        case tag
    }
}

extension TapSession {
    /// The link that the card shows to a phone, verified and compared with the card's status.
    ///
    /// Wire: `status`, `nfc`; reads of an NFC Forum Type 4 tag if the card does not know `nfc`, or if the tag is requested.
    /// Verified: the signature; the same product, card key or address ends, network, slot and state as in `status`. A bare
    /// link is accepted only from a SATSCARD that has used no slot.
    /// - Parameter source: where to read it; `nil` means the command, or the tag if there is no such command.
    /// - Throws: `TapError.badProof(.link)` if the signature is invalid or what it proves contradicts the status;
    ///   `.badResponse` if the text is not a link, or proves nothing; ….
    ///
    /// Spec: protocol, "Tap link".
    public func tapLink(from source: CardLink.Source? = nil) throws(TapError) -> CardLink {
        let status = try refreshStatus()
        let (url, source) = try url(from: source)
        let link: TapLink
        do { link = try TapLink(verifying: url) } catch {
            if error == .nothingSigned(.satscard), status.hasNothingToSign, TapLink.isBare(url) {
                return CardLink(url: url, proven: nil, source: source)
            }
            guard error.isForgery else { throw source.bad(error.detail) }
            throw .badProof(.link, detail: error.detail)
        }
        guard TapLink.spellings(of: link.text).contains(url) else { throw source.bad("there is more than a link") }
        if let contradiction = link.contradiction(to: status) {
            throw .badProof(.link, detail: "the card's link \(contradiction)")
        }
        return CardLink(url: url, proven: link, source: source)
    }

    private func url(from source: CardLink.Source?) throws(TapError) -> (String, CardLink.Source) {
        guard source != .tag else { return (try tagURL(), .tag) }
        do throws(TapError) { return (try tapURL(), .command) } catch {
            guard source == nil, case .card(let refusal, _) = error, refusal.kind == .unknownCommand else {
                throw error
            }
            return (try tagURL(), .tag)
        }
    }
}

extension CardLink.Source {
    /// The error for a text that is not a card's link.
    fileprivate func bad(_ problem: String) -> TapError {
        let (command, field) = self == .command ? (NFCCommand.name, "url") : (TapSession.tagName, "")
        return .badResponse(command: command, field: field, problem: "does not contain a card's link: \(problem)")
    }
}

extension CardStatus {
    /// Whether no slot of a SATSCARD has a key.
    fileprivate var hasNothingToSign: Bool { slots?.active == 0 && address == nil }
}

extension TapLink {
    /// The ways in which a card may write its own link.
    fileprivate static func spellings(of text: String) -> [String] {
        [text, "http" + text.dropFirst(5), String(text.dropFirst(8))]
    }

    /// Whether a text is just the bare link of a SATSCARD.
    fileprivate static func isBare(_ url: String) -> Bool {
        LinkHost.allCases.filter { $0.product == .satscard }.contains {
            spellings(of: "https://" + $0.rawValue + LinkHost.path).contains(url)
        }
    }

    /// How the link contradicts a status of the same card at the same time; `nil` if they agree.
    func contradiction(to status: CardStatus) -> String? {
        switch subject {
        case .card:
            // Early SATSCHIPs call themselves TAPSIGNER in their links.
            guard product == status.product || (product == .tapsigner && status.product == .satschip) else {
                return "is from a \(product.displayName)"
            }
            guard publicKey == status.publicKey else { return "is from another card" }
            let expected: State = status.isSetUp ? .sealed : .unused
            return state == expected || state == .error ? nil : "calls the card \(state.rawValue)"
        case .slot(let slot, let address):
            guard status.product == .satscard, let slots = status.slots else { return "is from a SATSCARD" }
            guard (address.network != .main) == status.isTestnet else { return "is for another network" }
            return contradiction(of: slot, with: address, to: status, slots)
        }
    }

    /// The link is about the active slot; while that is unused, about the one before, which must have been unsealed. A full
    /// card may report its last, unsealed slot as active, with or without its address. A card that reports an error may fall
    /// back to its first slot.
    private func contradiction(
        of slot: SlotNumber, with address: Address, to status: CardStatus, _ slots: CardStatus.Slots
    ) -> String? {
        if state == .error, slot.index == 0, slots.active > 0 { return nil }
        let isLast = slots.active == slots.total - 1
        var shown: Set<Int> = [slots.active]
        if status.address == nil {
            shown = [slots.active - 1]
            if isLast { shown.insert(slots.active) }
        }
        guard shown.contains(slot.index) else { return "is about slot \(slot)" }
        if let ends = status.address, !ends.matches(address) { return "is about another address" }
        switch state {
        case .error: return nil
        case .sealed where status.address != nil: return nil
        case .unsealed where status.address == nil || isLast: return nil
        case .sealed, .unsealed, .unused: return "calls the slot \(state.rawValue)"
        }
    }
}

extension TapLinkError {
    /// The message as part of another sentence.
    fileprivate var detail: String {
        let words = message.hasSuffix(".") ? String(message.dropLast()) : message
        return words.prefix(1).lowercased() + words.dropFirst()
    }
}
