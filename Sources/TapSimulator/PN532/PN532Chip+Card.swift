/// The chip's field and the card in it.
extension PN532Chip {
    /// A pending search for a card.
    struct Search {
        /// Which card will do.
        let wanted: Wanted
        /// When it is given up; `nil` means never.
        let deadline: ContinuousClock.Instant?
    }

    /// Which card a search is for.
    enum Wanted {
        /// A kind other than tap cards, which never appears.
        case otherKind
        /// Any card of type A.
        case typeA
        /// The type A card with this identifier; longer ones include the cascade tags.
        case identifier([UInt8])
        /// One of these target types of InAutoPoll.
        case types([UInt8])
    }

    /// Puts a card into the field.
    mutating func lay(_ target: any PN532Target) {
        takeAway()
        card = ContactlessCard(target: target)
        note(.laidDown)
        guard let response = searchResponse() else { return }
        answer(response)
    }

    /// Removes the card; a pending command to it is not answered any more.
    mutating func takeAway() {
        guard card != nil else { return }
        cutPower()
        card = nil
        muting.takeAway()
        note(.pulled)
        if case .card = pending { cardAnswered(nil) }
    }

    /// Switches the field.
    mutating func setField(_ isOn: Bool) {
        isFieldOn = isOn
        guard !isOn else { return }
        cutPower()
        listed = .none
        restForHost = []
        partsForCard = []
    }

    private mutating func cutPower() {
        guard card?.level != .unpowered else { return }
        card?.target.powerOff()
        card?.level = .unpowered
        powerLosses += 1
    }

    /// Powers the card if the field is on and it has no power yet.
    /// - Returns: whether there is a card with power.
    mutating func powerCard() -> Bool {
        guard isFieldOn, let card else { return false }
        guard card.level == .unpowered else { return true }
        guard muting.powerUp() else { return false }
        do throws(SimulatedCardError) { try card.target.powerOn() } catch {
            note(.cardFailed(error))
            return false
        }
        self.card?.level = .idle
        return true
    }

    /// Makes the card ready for commands, as far as the host leaves that to the chip.
    /// - Returns: whether there is a card that answers.
    mutating func activate() -> Bool {
        isFieldOn = true
        guard powerCard() else { return false }
        card?.level = .selected
        if settings.selectsProtocol { card?.startProtocol() }
        listed = .active
        restForHost = []
        partsForCard = []
        note(.activated)
        return true
    }

    /// What a search finds now, as the running command's response; `nil` if nothing, or if there is no search.
    mutating func searchResponse() -> [UInt8]? {
        switch pending {
        case .passiveTarget(let search):
            guard matches(search.wanted), activate(), let card else { return nil }
            return [1] + card.description(number: 1, by: edition)
        case .autoPoll(let search):
            guard case .types(let types) = search.wanted, matches(search.wanted), activate(), let card else {
                return nil
            }
            let type =
                settings.selectsProtocol && types != [AutoPollType.mifare]
                ? AutoPollType.protocolA : AutoPollType.mifare
            let description = card.description(number: 1, by: edition)
            return [1, type, UInt8(truncatingIfNeeded: description.count)] + description
        case .card, nil: return nil
        }
    }

    /// Handles a search that timed out.
    mutating func searchIsOver() {
        switch pending {
        case .passiveTarget, .autoPoll: answer([0])
        case .card, nil: break
        }
    }

    private func matches(_ wanted: Wanted) -> Bool {
        guard let card else { return false }
        switch wanted {
        case .otherKind: return false
        case .typeA: return true
        case .identifier(let identifier): return identifier == card.cascadedIdentifier
        case .types(let types): return types.contains(where: AutoPollType.ofCard.contains)
        }
    }

    /// Takes the card's response; `nil` means that it left.
    mutating func cardAnswered(_ bytes: [UInt8]?) {
        guard case .card(let question) = pending else { return }
        if case .reader = question {
            giveUp()
            answerForReader = bytes.flatMap { card?.level == .inProtocol ? $0 : nil }.map { .bytes($0) } ?? .silence
            if case .bytes(let bytes) = answerForReader { card?.finishBlock(bytes) }
            return
        }
        guard let bytes, card?.level == .inProtocol else {
            listed = .none
            answer(status(.timeout))
            return
        }
        switch question {
        case .dataExchange:
            card?.finishBlock(bytes)
            restForHost = bytes
            answer(nextPart())
        case .rawBlock: answer(rawResponse(card?.finishBlock(bytes) ?? []))
        case .reader: break
        }
    }

    /// The next part of the card's response, preceded by the status byte.
    mutating func nextPart() -> [UInt8] {
        // A frame must also hold the direction, code and status.
        let part = restForHost.prefix(edition.longestData - 3)
        restForHost.removeFirst(part.count)
        let status = status(.success)[0] | (restForHost.isEmpty ? 0 : PN532Status.moreInformation)
        return [status] + part
    }

    /// Records a status, and returns it in the form used in responses.
    mutating func status(_ status: PN532Status) -> [UInt8] {
        lastStatus = status
        return [status.rawValue]
    }
}

/// The status byte of responses.
///
/// Spec: UM0701-02, section 7.1 (error handling).
enum PN532Status: UInt8 {
    case success = 0x00
    /// The card did not answer.
    case timeout = 0x01
    case bufferTooSmall = 0x07
    /// The command is not acceptable in this context: there is no such target.
    case wrongContext = 0x27

    /// Added to a status: more of the response can be fetched. Added to a target number: more for the card follows.
    static let moreInformation: UInt8 = 0x40
}

/// The target types of InAutoPoll that match a tap card.
///
/// Spec: UM0701-02, section 7.3.13.
enum AutoPollType {
    /// Every passive card at 106 kbit/s.
    static let any: UInt8 = 0x00
    /// A card of ISO 14443-3.
    static let mifare: UInt8 = 0x10
    /// A card of ISO 14443-4, type A.
    static let protocolA: UInt8 = 0x20

    static let ofCard = [any, mifare, protocolA]
}
