/// A PN532 in software: what comes over its serial line, its state, and what it answers. It never waits by itself: the
/// code that runs it supplies bytes, the card's responses and the time, and takes the output.
///
/// Spec: UM0701-02 (firmware 1.6).
struct PN532Chip: FieldDevice {
    /// From the host's view, whether there is a target number 1.
    enum Listed {
        case none
        case active
        case deselected
    }

    /// What a command waits for.
    enum Pending {
        /// The card's answer.
        case card(CardQuestion)
        /// A card, until the deadline if there is one.
        case passiveTarget(Search)
        /// A card, until the deadline if there is one.
        case autoPoll(Search)
    }

    /// How an APDU was sent to the card.
    enum CardQuestion {
        /// By InDataExchange.
        case dataExchange
        /// By InCommunicateThru, in an I-block.
        case rawBlock
        /// By the firmware of the reader that contains the chip, not by a frame.
        case reader
    }

    /// What a card made of the question of the reader that contains the chip.
    enum ReaderAnswer: Equatable {
        case bytes([UInt8])
        /// The card left.
        case silence
    }

    /// The rate of its serial line, in bit/s; libnfc never has it changed.
    static let lineRate: UInt32 = 115_200

    /// The longest pause within a frame before it is dropped.
    static let longestPause = Duration.milliseconds(250)

    /// What distinguishes this chip from others of its family.
    let edition: PN532Edition
    var settings = PN532Settings()
    var registers = PN532Registers()
    var isFieldOn = false
    /// The card in the field, whether or not the host knows it.
    var card: ContactlessCard?
    var listed = Listed.none
    /// Parts of a command for the card, with more to follow.
    var partsForCard: [UInt8] = []
    /// The rest of the card's response.
    var restForHost: [UInt8] = []
    /// The last error, as GetGeneralStatus reports it.
    var lastStatus = PN532Status.success
    var isAsleep: Bool

    /// The running command, not yet answered.
    private(set) var pending: Pending?
    private var runningCode: UInt8 = 0
    private var lastResponse: [UInt8]?
    private var frames = PN532Frames()
    private var frameDeadline: ContinuousClock.Instant?
    private var fault: PN532Fault?
    /// Exchanges with the card since the fault was requested.
    private var exchanges = 0

    /// Frames to be sent to the host.
    private(set) var output: [[UInt8]] = []
    /// The APDU to be sent to the card.
    private(set) var question: [UInt8]?
    /// Events since they were last taken.
    private(set) var events: [PN532Event] = []
    /// Incremented whenever the card loses power: its current work is lost.
    var powerLosses = 0
    /// Whether, and when, a card in the field stays mute.
    var muting = PowerMuting()

    /// The card's response to the reader's question, until it is taken.
    var answerForReader: ReaderAnswer?

    /// A chip that has just been powered.
    /// - Parameter isAsleep: whether it must be woken first, as on a serial line.
    init(_ edition: PN532Edition = .pn532, isAsleep: Bool = true) {
        self.edition = edition
        self.isAsleep = isAsleep
    }

    var deadline: ContinuousClock.Instant? {
        let limit: ContinuousClock.Instant? =
            switch pending {
            case .passiveTarget(let search), .autoPoll(let search): search.deadline
            case .card, nil: nil
            }
        return [limit, frameDeadline].compactMap { $0 }.min()
    }

    /// Takes the bytes to be sent to the host on a line.
    mutating func takeOutput() -> [UInt8] { takeFrames().flatMap { $0 } }

    /// Takes the frames to be sent to the host, one by one.
    mutating func takeFrames() -> [[UInt8]] {
        defer { output = [] }
        return output
    }

    /// Sends an APDU to the card for the reader that contains the chip; the response becomes `answerForReader`.
    /// - Returns: whether there is a card that answers.
    mutating func ask(_ apdu: [UInt8]) -> Bool {
        abort()
        guard card?.level == .inProtocol else { return false }
        question = apdu
        pending = .card(.reader)
        return true
    }

    /// Starts over, as after its power came back: only the card stays in the field, without power.
    mutating func restart(isAsleep: Bool = false) {
        setField(false)
        var fresh = Self(edition, isAsleep: isAsleep)
        (fresh.card, fresh.powerLosses, fresh.events, fresh.muting) = (card, powerLosses, events, muting)
        self = fresh
    }

    /// Gives up what the chip is doing for its reader, or does for its host.
    mutating func giveUp() {
        abort()
        answerForReader = nil
    }

    mutating func takeQuestion() -> [UInt8]? {
        defer { question = nil }
        return question
    }

    /// Takes the events.
    mutating func takeEvents() -> [PN532Event] {
        defer { events = [] }
        return events
    }

    mutating func note(_ event: PN532Event) { events.append(event) }

    /// Misbehaves from now on; `nil` restores normal operation.
    mutating func misbehave(_ fault: PN532Fault?) {
        self.fault = fault
        exchanges = 0
    }
}

/// The line to the host.
extension PN532Chip {
    /// Takes bytes from the line.
    mutating func receive(_ bytes: some Collection<UInt8>, at now: ContinuousClock.Instant) {
        var bytes = bytes[...]
        if isAsleep {
            guard let wakeUp = bytes.firstIndex(of: 0x55) else { return }
            bytes = bytes[wakeUp...]
            isAsleep = false
            note(.awake)
        }
        frames.append(bytes)
        handleMessages(at: now)
    }

    /// Ends what has timed out by now.
    mutating func tick(at now: ContinuousClock.Instant) {
        if let frameDeadline, frameDeadline <= now {
            while frames.isPartial {
                frames.giveUp()
                handleMessages(at: now)
            }
        }
        if let deadline, deadline <= now { searchIsOver() }
    }

    private mutating func handleMessages(at now: ContinuousClock.Instant) {
        while let message = frames.next() {
            handle(message, at: now)
            if isAsleep { frames.removeAll() }
        }
        frameDeadline = frames.isPartial ? now + Self.longestPause : nil
    }

    private mutating func handle(_ message: PN532Frames.Message, at now: ContinuousClock.Instant) {
        guard !isSilent else { return }
        switch message {
        case .acknowledge: abort()
        case .negativeAcknowledge: output += lastResponse.map { [$0] } ?? []
        case .foreign:
            abort()
            output.append(PN532Frames.acknowledge)
            fail()
        case .command(let bytes):
            // A new command ends the old one.
            abort()
            output.append(PN532Frames.acknowledge)
            run(bytes, at: now)
        }
    }

    private mutating func run(_ bytes: [UInt8], at now: ContinuousClock.Instant) {
        guard let code = bytes.first, let command = PN532CommandTable.command(code) else {
            fail()
            return
        }
        runningCode = code
        switch command.run(Array(bytes.dropFirst()), on: &self, at: now) {
        case .answer(let data): answer(data)
        case .syntaxError: fail()
        case .ask(let apdu, let question):
            self.question = apdu
            exchanges += 1
            pending = .card(question)
        case .search(let pending):
            self.pending = pending
            if let response = searchResponse() { answer(response) }
        }
    }

    private mutating func abort() {
        pending = nil
        question = nil
    }

    private var isSilent: Bool { fault?.kind == .silence && fault?.exchange == nil }

    /// Ends the running command with its response.
    mutating func answer(_ data: [UInt8]) {
        var isExchange = false
        if case .card = pending { isExchange = true }
        pending = nil
        let response = PN532Frames.response(runningCode &+ 1, data)
        lastResponse = response
        let isFaulty = fault.map { $0.exchange == nil || isExchange && $0.exchange == exchanges } ?? false
        output.append(isFaulty ? fault?.kind.spoil(response) ?? response : response)
    }

    private mutating func fail() {
        pending = nil
        lastResponse = PN532Frames.error
        output.append(PN532Frames.error)
    }
}

extension PN532Fault.Kind {
    /// Applies the fault to a response.
    fileprivate func spoil(_ response: [UInt8]) -> [UInt8] {
        switch self {
        case .silence: return []
        case .checksum:
            var response = response
            let place = response.count - 2
            if response.indices.contains(place) { response[place] ^= 0xFF }
            return response
        case .truncation: return Array(response.prefix(response.count / 2))
        case .error: return PN532Frames.error
        }
    }
}
