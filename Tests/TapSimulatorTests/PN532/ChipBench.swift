import Testing

@testable import TapSimulator

/// A chip without a port: a host's bytes in, its replies out, and a clock that a test moves.
struct ChipBench {
    var chip = PN532Chip()
    var now = ContinuousClock.now

    /// A chip that is awake, with a card in its field.
    init(_ target: FieldTarget? = FieldTarget(), isAwake: Bool = true) {
        if let target { chip.lay(target) }
        if isAwake { chip.receive(ChipReply.wakeUp, at: now) }
    }

    /// Sends a command, lets the card answer, and gives all replies but the acknowledgement.
    mutating func send(_ command: [UInt8], at location: SourceLocation = #_sourceLocation) throws -> [ChipReply] {
        try begin(command, at: location)
        while let apdu = chip.takeQuestion() { chip.cardAnswered(chip.card?.target.answer(apdu: apdu)) }
        return try replies()
    }

    /// Sends a command that is acknowledged, and leaves the card to the test.
    mutating func begin(_ command: [UInt8], at location: SourceLocation = #_sourceLocation) throws {
        chip.receive(ChipReply.frame(command), at: now)
        let acknowledge: [UInt8] = [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00]
        #expect(chip.output.first == acknowledge, sourceLocation: location)
        pushedBack = Array(chip.takeOutput().dropFirst(acknowledge.count))
    }

    /// What the chip has said since.
    mutating func replies() throws -> [ChipReply] {
        defer { pushedBack = [] }
        return try #require(try ChipReply.all(in: pushedBack + chip.takeOutput()))
    }

    /// Lets time go by.
    mutating func pass(_ duration: Duration) {
        now += duration
        chip.tick(at: now)
    }

    private var pushedBack: [UInt8] = []

    /// Finds the card, as a host does first.
    mutating func activate(at location: SourceLocation = #_sourceLocation) throws {
        let replies = try send([0x4A, 0x01, 0x00], at: location)
        guard case .response(let bytes)? = replies.first, replies.count == 1, bytes.starts(with: [0x4B, 1, 1]) else {
            Issue.record("not activated: \(replies)", sourceLocation: location)
            return
        }
    }
}
