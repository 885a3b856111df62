import ByteCodec

/// The card's protocol parameters: a contactless card has none, so readers say what suits their drivers.
///
/// Spec: CCID 1.10, section 6.1.7 (protocol data structure for T=1).
struct CCIDParameters: Equatable {
    static let protocolNumber: UInt8 = 1

    /// Seven bytes: speed, checksum, guard time, waiting times, clock stop, block length, node address.
    let bytes: [UInt8]

    /// What a reader starts with: the default speed, LRC, blocks of 254 bytes.
    static let initial = Self(bytes: [0x11, 0x10, 0x00, 0x45, 0x00, 0xFE, 0x00])

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// - Returns: `nil` unless there are seven bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 7 else { return nil }
        self.bytes = bytes
    }
}

/// Parameters, and the card's speed.
///
/// Spec: CCID 1.10, sections 6.1.5–6.1.7 and 6.1.14.
extension CCIDSlot {
    mutating func parameters(_ command: CCIDCommand) {
        guard chip.card != nil else { return fail(command, CCIDReply.Failure.mute) }
        switch command.kind {
        case .resetParameters: parameters = .initial
        case .setParameters:
            guard command.details[0] == CCIDParameters.protocolNumber else {
                return fail(command, CCIDReply.Failure.wrongProtocol)
            }
            guard let new = CCIDParameters(command.data) else { return fail(command, CCIDReply.Failure.wrongLength) }
            parameters = new
        default: break
        }
        reply(command, detail: CCIDParameters.protocolNumber, parameters.bytes)
    }

    /// The reader keeps its own clock and rate, and says which.
    mutating func setRateAndClock(_ command: CCIDCommand) {
        guard command.data.count == 8 else { return fail(command, CCIDReply.Failure.wrongLength) }
        var values: [UInt8] = []
        values.appendLittleEndian(traits.clock.byDefault)
        values.appendLittleEndian(traits.rate.byDefault)
        reply(command, .done, values)
    }
}
