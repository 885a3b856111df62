/// What distinguishes the chips of the PN53x family, and the same chip in different readers.
package struct PN532Edition: Sendable {
    /// The response to GetFirmwareVersion: the chip, its version and revision, and the kinds of cards that it supports
    /// (types A and B, and NFCIP-1); of a PN531 only version and revision.
    let firmware: [UInt8]
    /// Whether a status byte precedes responses about registers.
    let registersHaveStatus: Bool
    /// The most data bytes in a frame to the host, including direction and code.
    let longestData: Int
    /// Whether it describes a card as it is heard on the air: the answer to request in that order, the identifier with
    /// cascade tags.
    var describesAsOnTheAir = false
    /// Whether it has Sony's firmware, which knows a command and a setting of its own, and wants a number more to release a
    /// card.
    var isSonys = false

    /// A PN532 with firmware 1.6, on a line of its own.
    package static let pn532 = Self(
        firmware: [0x32, 0x01, 0x06, 0x07], registersHaveStatus: false, longestData: PN532Frames.longestData)
}
