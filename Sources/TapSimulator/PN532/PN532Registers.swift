/// The chip's registers, as far as they have been written.
///
/// Spec: UM0701-02, sections 7.2.4 and 7.2.5; PN532/C1 data sheet, section 8.6.23.
struct PN532Registers {
    private static let transmitMode: UInt16 = 0x6302
    private static let receiveMode: UInt16 = 0x6303
    private static let bitFraming: UInt16 = 0x633D

    /// In both modes: the chip adds and checks the checksums of frames on the air.
    private static let checksumBit: UInt8 = 0x80
    /// In both modes: the kind of card; 0 is type A.
    private static let kindBits: UInt8 = 0x03
    /// How many bits of the last byte are sent; 0 means all.
    private static let lastBits: UInt8 = 0x07

    private var values: [UInt16: UInt8] = [transmitMode: checksumBit, receiveMode: checksumBit]

    subscript(_ address: UInt16) -> UInt8 {
        get { values[address] ?? 0 }
        set { values[address] = newValue }
    }

    /// Whether raw frames are for type A cards.
    var isTypeA: Bool { self[Self.transmitMode] & Self.kindBits == 0 }

    /// Whether the chip adds the checksum to raw frames.
    var addsChecksum: Bool { self[Self.transmitMode] & Self.checksumBit != 0 }

    /// Whether the chip removes the checksum of raw frames.
    var takesChecksumOff: Bool { self[Self.receiveMode] & Self.checksumBit != 0 }

    /// Whether only seven bits of the last byte are sent.
    var sendsSevenBits: Bool { self[Self.bitFraming] & Self.lastBits == 7 }
}
