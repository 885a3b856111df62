import ByteCodec

/// A message of a reader to the host.
///
/// Spec: CCID 1.10, sections 6.2 and 6.2.6.
struct CCIDReply {
    /// The messages of a reader.
    enum Kind: UInt8 {
        case dataBlock = 0x80
        case slotStatus = 0x81
        case parameters = 0x82
        case escape = 0x83
        case rateAndClock = 0x84
    }

    /// Why a command failed: a known reason, or the offset of the byte that is wrong in the host's message.
    enum Failure {
        static let notSupported: UInt8 = 0
        static let wrongLength: UInt8 = 1
        static let noSuchSlot: UInt8 = 5
        static let wrongProtocol: UInt8 = 7
        static let wrongLevel: UInt8 = 8
        static let busy: UInt8 = 0xE0
        static let overrun: UInt8 = 0xFC
        /// The card does not answer, or there is none.
        static let mute: UInt8 = 0xFE
        static let aborted: UInt8 = 0xFF
    }

    /// What became of the command.
    enum Outcome {
        case done
        case failed(UInt8)
        /// The card needs more time: this many waiting times.
        case moreTime(UInt8)
    }

    /// What is in a slot.
    enum CardStatus: UInt8 {
        case active = 0
        case inactive = 1
        case absent = 2
    }

    let kind: Kind
    let sequence: UInt8
    var slot: UInt8 = 0
    var outcome = Outcome.done
    let card: CardStatus
    /// The last byte of the header; its meaning depends on the message.
    var detail: UInt8 = 0
    var data: [UInt8] = []

    /// The message as it is sent.
    var bytes: [UInt8] {
        var bytes = [kind.rawValue]
        bytes.appendLittleEndian(UInt32(clamping: data.count))
        bytes += [slot, sequence]
        switch outcome {
        case .done: bytes += [card.rawValue, 0]
        case .failed(let reason): bytes += [card.rawValue | 0x40, reason]
        case .moreTime(let times): bytes += [card.rawValue | 0x80, times]
        }
        return bytes + [detail] + data
    }
}
