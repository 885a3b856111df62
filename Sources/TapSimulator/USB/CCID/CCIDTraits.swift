import ByteCodec

/// What a reader says about itself in the class's descriptor.
///
/// Spec: CCID 1.10, section 5.1.
struct CCIDTraits {
    /// How the host sends a card's commands.
    enum Level {
        /// In the units of the card's transmission protocol.
        case tpdu
        /// Whole, up to 261 bytes.
        case shortAPDU
        /// Whole, or in parts if a message is too short for them.
        case extendedAPDU
    }

    /// Clock and rate of the card's interface, in kHz and bit/s: the default, and the highest.
    struct Speed {
        let byDefault: UInt32
        let highest: UInt32
    }

    /// The class's version, as binary-coded decimals.
    let version: UInt16
    /// 5, 3 and 1.8 V, one bit each.
    let voltages: UInt8
    /// T=0 and T=1, one bit each.
    let protocols: UInt32
    let clock: Speed
    let rate: Speed
    /// The clocks that the reader lists if it is asked; `nil` if it refuses.
    var clocks: [UInt32]? = []
    /// The rates that the reader lists if it is asked; `nil` if it refuses.
    var rates: [UInt32]? = []
    /// The longest T=1 block, in bytes.
    let longestBlock: UInt32
    var mechanics: UInt32 = 0
    let features: UInt32
    /// The longest message either way, including its 10 bytes of header.
    let longestMessage: UInt32
    /// The class bytes of the commands that fetch more, or wrap one; 0xFF is the command's own.
    var wrapperClass: UInt8 = 0

    var level: Level {
        switch features & 0x0007_0000 {
        case 0x0001_0000: .tpdu
        case 0x0004_0000: .extendedAPDU
        default: .shortAPDU
        }
    }

    /// The most data in a message, in bytes.
    var longestData: Int { Int(longestMessage) - CCIDCommand.headerLength }

    /// The descriptor: 54 bytes. The readers have one slot each, and neither display nor keys.
    var descriptor: [UInt8] {
        var bytes: [UInt8] = [54, 0x21]
        bytes.appendLittleEndian(version)
        bytes += [0, voltages]
        for value in [protocols, clock.byDefault, clock.highest] { bytes.appendLittleEndian(value) }
        bytes.append(0)
        for value in [rate.byDefault, rate.highest] { bytes.appendLittleEndian(value) }
        bytes.append(0)
        for value in [longestBlock, 0, mechanics, features, longestMessage] { bytes.appendLittleEndian(value) }
        return bytes + [wrapperClass, wrapperClass, 0, 0, 0, 1]
    }
}
