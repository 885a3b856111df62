import ByteCodec

/// The card's protocol parameters: a contactless card has none, so readers say what suits their drivers.
///
/// Spec: CCID 1.10, section 6.1.7 (protocol data structures).
struct CCIDParameters: Equatable {
    /// T=0 or T=1.
    let protocolNumber: UInt8
    /// For T=0 five bytes: speed, convention, guard time, waiting time, clock stop. For T=1 seven: speed, checksum,
    /// guard time, waiting times, clock stop, block length, node address.
    let bytes: [UInt8]

    /// What a reader starts with for T=1: the default speed, LRC, blocks of 254 bytes.
    static let ofBlocks = Self(protocolNumber: 1, bytes: [0x11, 0x10, 0x00, 0x45, 0x00, 0xFE, 0x00])

    /// What a reader starts with for T=0: the default speed and waiting time.
    static let ofBytes = Self(protocolNumber: 0, bytes: [0x11, 0x00, 0x00, 0x0A, 0x00])

    private init(protocolNumber: UInt8, bytes: [UInt8]) {
        (self.protocolNumber, self.bytes) = (protocolNumber, bytes)
    }

    /// Others for the same protocol; `nil` unless they are as many bytes.
    func changed(to bytes: [UInt8]) -> Self? {
        bytes.count == self.bytes.count ? Self(protocolNumber: protocolNumber, bytes: bytes) : nil
    }
}

/// Parameters, and the card's speed.
///
/// Spec: CCID 1.10, sections 6.1.5–6.1.7 and 6.1.14.
extension CCIDSlot {
    mutating func parameters(_ command: CCIDCommand) {
        guard cardStatus != .absent else { return fail(command, CCIDReply.Failure.mute) }
        switch command.kind {
        case .resetParameters: parameters = initialParameters
        case .setParameters:
            guard command.details[0] == parameters.protocolNumber else {
                return fail(command, CCIDReply.Failure.wrongProtocol)
            }
            guard let new = parameters.changed(to: command.data) else {
                return fail(command, CCIDReply.Failure.wrongLength)
            }
            parameters = new
        default: break
        }
        reply(command, detail: parameters.protocolNumber, parameters.bytes)
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
