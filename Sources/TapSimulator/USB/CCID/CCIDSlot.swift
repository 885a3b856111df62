/// A reader's slot, with the USB interface that serves it: takes the host's messages and answers them.
///
/// The card is in the field of a simulated chip, whatever chip the reader has: a host sees no difference.
///
/// Spec: CCID 1.10, section 6.
struct CCIDSlot {
    /// What the host waits for.
    struct Pending {
        /// The card's response, or the chip's to a frame that the host sent through.
        enum Source {
            case card
            case chip
        }

        let source: Source
        let reply: CCIDReply.Kind
        let sequence: UInt8
    }

    /// Parts of one command or response that is longer than a message.
    struct Chain {
        var command: [UInt8]?
        var response: [UInt8] = []
    }

    /// Where the host finds the slot.
    struct Endpoints {
        let command: UInt8
        let response: UInt8
        let change: UInt8
    }

    let traits: CCIDTraits
    let endpoints: Endpoints
    /// The reader's own commands; `nil` if it has none.
    var firmware: ACR122Firmware?
    var chip: PN532Chip
    /// What the host takes for the card; `nil` if that is the one in the field.
    var pretended: PretendedCard?
    var parameters = CCIDParameters.ofBlocks
    var pending: Pending?
    var chain = Chain()
    /// When the host is told that the card needs more time.
    var extensionDue: ContinuousClock.Instant?
    /// The numbers of an abort that came as a request, and as a message: it needs both.
    var abort: (request: UInt8?, message: UInt8?) = (nil, nil)
    /// Whether the host has not been told yet that the card came or left.
    private var isChangeUntold = true
    private var received: [UInt8] = []
    private var transfers: [USBTransfer] = []

    init(
        _ traits: CCIDTraits, _ endpoints: Endpoints, firmware: ACR122Firmware? = nil,
        chip: PN532Edition = .pn532, pretended: PretendedCard? = nil
    ) {
        (self.traits, self.endpoints, self.firmware, self.pretended) = (traits, endpoints, firmware, pretended)
        self.chip = PN532Chip(chip, isAsleep: false)
        parameters = initialParameters
    }

    /// What the slot starts with.
    var initialParameters: CCIDParameters { pretended == nil ? .ofBlocks : .ofBytes }

    /// What is in the slot.
    var cardStatus: CCIDReply.CardStatus {
        if let pretended { return pretended.status }
        return switch chip.card?.level {
        case nil: .absent
        case .inProtocol: .active
        default: .inactive
        }
    }

    /// The card in the field came or left.
    mutating func noteChange() {
        if pretended == nil { isChangeUntold = true }
    }

    /// Cuts the card's power, and forgets what the host has asked for.
    mutating func reset() {
        chip.restart()
        firmware?.restart()
        (pending, extensionDue, chain, abort) = (nil, nil, Chain(), (nil, nil))
        pretended?.hasPower = false
        (received, transfers, isChangeUntold, parameters) = ([], [], true, initialParameters)
    }

    /// Takes a transfer of the host. A message may come in several, if all but the last are whole packets.
    mutating func receive(_ bytes: [UInt8], packet: Int, at now: ContinuousClock.Instant) {
        received += bytes
        guard !received.isEmpty else { return }
        let announced = CCIDCommand.announcedLength(received)
        let isWhole = announced.map { received.count >= CCIDCommand.headerLength + $0 } ?? false
        let mayGoOn = !bytes.isEmpty && bytes.count.isMultiple(of: max(1, packet))
        if !isWhole, mayGoOn, received.count < Int(traits.longestMessage) { return }
        let message = received
        received = []
        guard let command = CCIDCommand(message), let announced else { return }
        let isRight = announced == command.data.count && message.count <= Int(traits.longestMessage)
        run(command, isLengthRight: isRight, at: now)
    }

    private mutating func run(_ command: CCIDCommand, isLengthRight: Bool, at now: ContinuousClock.Instant) {
        guard command.slot == 0 else {
            let kind = command.kind?.reply ?? .slotStatus
            send(
                CCIDReply(
                    kind: kind, sequence: command.sequence, slot: command.slot,
                    outcome: .failed(CCIDReply.Failure.noSuchSlot), card: .absent))
            return
        }
        guard let kind = command.kind else { return fail(command, CCIDReply.Failure.notSupported) }
        guard isLengthRight else { return fail(command, CCIDReply.Failure.wrongLength) }
        if kind != .abort {
            guard abort.request == nil, abort.message == nil else { return fail(command, CCIDReply.Failure.aborted) }
            guard pending?.source != .card else { return fail(command, CCIDReply.Failure.busy) }
        }
        switch kind {
        case .powerOn: powerOn(command)
        case .powerOff: powerOff(command)
        case .getSlotStatus: reply(command)
        case .exchange: exchange(command, at: now)
        case .escape: escape(command, at: now)
        case .getParameters, .resetParameters, .setParameters: parameters(command)
        case .setRateAndClock: setRateAndClock(command)
        case .abort: abort(byMessage: command)
        }
    }

    /// Answers a command.
    mutating func reply(
        _ command: CCIDCommand, _ outcome: CCIDReply.Outcome = .done, detail: UInt8 = 0, _ data: [UInt8] = []
    ) {
        send(
            CCIDReply(
                kind: command.kind?.reply ?? .slotStatus, sequence: command.sequence, outcome: outcome,
                card: cardStatus, detail: detail, data: data))
    }

    /// Answers a command that failed.
    mutating func fail(_ command: CCIDCommand, _ reason: UInt8) { reply(command, .failed(reason)) }

    /// Sends a message to the host.
    mutating func send(_ reply: CCIDReply) {
        transfers.append(USBTransfer(endpoint: endpoints.response, bytes: reply.bytes))
    }

    /// Takes what the slot has to say: the answers, and whether the card came or left.
    mutating func takeTransfers() -> [USBTransfer] {
        defer { transfers = [] }
        guard isChangeUntold else { return transfers }
        isChangeUntold = false
        // RDR_to_PC_NotifySlotChange: the slot's state, and that it changed.
        let state: UInt8 = cardStatus == .absent ? 0x02 : 0x03
        return transfers + [USBTransfer(endpoint: endpoints.change, bytes: [0x50, state])]
    }
}
