import ByteCodec

/// Requests of the class, and the abort of a command, which comes as a request and as a message.
///
/// Spec: CCID 1.10, sections 5.3 and 6.1.13.
extension CCIDSlot {
    private static let abortRequest: UInt8 = 0x01
    private static let clocksRequest: UInt8 = 0x02
    private static let ratesRequest: UInt8 = 0x03

    /// - Returns: the bytes for the host; `nil` refuses.
    mutating func answer(_ request: USBRequest) -> [UInt8]? {
        switch (request.code, request.kind) {
        case (Self.abortRequest, 0x21):
            guard request.value & 0xFF == 0 else { return nil }
            abort.request = UInt8(request.value >> 8)
            settleAbort()
            return []
        case (Self.clocksRequest, 0xA1): return Self.list(traits.clocks)
        case (Self.ratesRequest, 0xA1): return Self.list(traits.rates)
        default: return nil
        }
    }

    mutating func abort(byMessage command: CCIDCommand) {
        abort.message = command.sequence
        settleAbort()
    }

    private mutating func settleAbort() {
        guard let sequence = abort.message, abort.request == sequence else { return }
        abort = (nil, nil)
        (pending, extensionDue, chain) = (nil, nil, Chain())
        chip.giveUp()
        send(CCIDReply(kind: .slotStatus, sequence: sequence, card: cardStatus))
    }

    private static func list(_ values: [UInt32]?) -> [UInt8]? {
        values?.reduce(into: [UInt8]()) { $0.appendLittleEndian($1) }
    }
}
