/// Commands for the card.
///
/// Spec: CCID 1.10, sections 3.2.2 (levels), 6.1.4 and 6.2.1.
extension CCIDSlot {
    /// How long the host waits before it is told that the card needs more time. A reader's own interval is not known.
    static let patience = Duration.seconds(1)
    /// The longest command in parts: the data of an extended APDU, and its header.
    private static let longestCommand = 65_544

    /// The part of a command or response that a message contains.
    private enum Part {
        static let whole: UInt8 = 0
        static let first: UInt8 = 1
        static let last: UInt8 = 2
        static let middle: UInt8 = 3
        /// No part, but the wish for the other side's next.
        static let request: UInt8 = 0x10
    }

    mutating func exchange(_ command: CCIDCommand, at now: ContinuousClock.Instant) {
        let part = UInt8(truncatingIfNeeded: command.level)
        guard command.level < 0x100, part == Part.whole || traits.level == .extendedAPDU else {
            return fail(command, CCIDReply.Failure.wrongLevel)
        }
        switch part {
        case Part.whole:
            chain = Chain()
            start(command.data, command, at: now)
        case Part.first:
            chain = Chain(command: command.data)
            reply(command, detail: Part.request)
        case Part.middle, Part.last:
            guard let begun = chain.command, begun.count + command.data.count <= Self.longestCommand else {
                chain = Chain()
                return fail(command, CCIDReply.Failure.wrongLevel)
            }
            chain.command = begun + command.data
            if part == Part.middle { return reply(command, detail: Part.request) }
            chain.command = nil
            start(begun + command.data, command, at: now)
        case Part.request where !chain.response.isEmpty: sendPart(command.sequence, isFirst: false)
        default: fail(command, CCIDReply.Failure.wrongLevel)
        }
    }

    private mutating func start(_ apdu: [UInt8], _ command: CCIDCommand, at now: ContinuousClock.Instant) {
        if apdu.first == ContactlessAnswers.readerClass { return runByReader(apdu, command, at: now) }
        if let pretended {
            guard pretended.hasPower else { return fail(command, CCIDReply.Failure.mute) }
            return reply(command, .done, PretendedCard.refusal)
        }
        guard chip.ask(apdu) else { return fail(command, CCIDReply.Failure.mute) }
        pending = Pending(source: .card, reply: .dataBlock, sequence: command.sequence)
        extensionDue = now + Self.patience
    }

    /// Commands of class FF are for the reader itself.
    private mutating func runByReader(_ apdu: [UInt8], _ command: CCIDCommand, at now: ContinuousClock.Instant) {
        if pretended == nil, let answer = ContactlessAnswers.answer(apdu, card: chip.card) {
            return reply(command, .done, answer)
        }
        guard firmware != nil else { return reply(command, .done, ContactlessAnswers.notSupported) }
        run(firmwareCommand: apdu, command, at: now)
    }

    /// Sends the card's response, or as much of it as a message holds.
    mutating func respond(_ response: [UInt8], to sequence: UInt8) {
        guard response.count <= traits.longestData || traits.level == .extendedAPDU else {
            send(
                CCIDReply(
                    kind: .dataBlock, sequence: sequence, outcome: .failed(CCIDReply.Failure.overrun), card: cardStatus)
            )
            return
        }
        chain.response = response
        sendPart(sequence, isFirst: true)
    }

    private mutating func sendPart(_ sequence: UInt8, isFirst: Bool) {
        let part = Array(chain.response.prefix(traits.longestData))
        chain.response.removeFirst(part.count)
        let isLast = chain.response.isEmpty
        let place = isFirst ? (isLast ? Part.whole : Part.first) : (isLast ? Part.last : Part.middle)
        send(CCIDReply(kind: .dataBlock, sequence: sequence, card: cardStatus, detail: place, data: part))
    }

    /// Tells the host that the card needs more time, when it is time for that.
    mutating func extendTime(at now: ContinuousClock.Instant) {
        guard let pending, let due = extensionDue, due <= now else { return }
        extensionDue = now + Self.patience
        send(
            CCIDReply(
                kind: pending.reply, sequence: pending.sequence, outcome: .moreTime(1), card: cardStatus))
    }

    /// Answers the host as soon as what it waits for is there.
    mutating func settle() {
        switch pending?.source {
        case .card:
            guard let pending, let answer = chip.answerForReader else { return }
            (chip.answerForReader, self.pending, extensionDue) = (nil, nil, nil)
            switch answer {
            case .bytes(let bytes): respond(bytes, to: pending.sequence)
            case .silence:
                send(
                    CCIDReply(
                        kind: pending.reply, sequence: pending.sequence, outcome: .failed(CCIDReply.Failure.mute),
                        card: cardStatus))
            }
        case .chip: settleFrame()
        case nil: chip.answerForReader = nil
        }
    }
}
