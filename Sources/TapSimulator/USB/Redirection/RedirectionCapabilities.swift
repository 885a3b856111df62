/// What an end of a usbredir connection can do; in force is what both can.
///
/// Spec: USB redirection protocol 0.7, "usb_redir_hello".
struct RedirectionCapabilities: OptionSet, Equatable {
    let rawValue: UInt32

    /// device_connect has the device's version.
    static let deviceVersion = Self(rawValue: 1 << 1)
    /// The device's end is told when a disconnection was seen.
    static let disconnectAcknowledgement = Self(rawValue: 1 << 3)
    /// ep_info has the longest packets.
    static let longestPackets = Self(rawValue: 1 << 4)
    /// Packets have numbers of 64 bits, except for hello.
    static let wideNumbers = Self(rawValue: 1 << 5)
    /// Bulk transfers have lengths of 32 bits.
    static let wideBulkLengths = Self(rawValue: 1 << 6)

    /// What this device's end can do. QEMU's xHCI wants the last three.
    static let own: Self = [
        .disconnectAcknowledgement, .deviceVersion, .longestPackets, .wideNumbers, .wideBulkLengths,
    ]
}
