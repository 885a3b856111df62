/// A simulated USB device with a card in its field, without what every USB device does.
protocol USBDevice: FieldDevice {
    /// What the device says about itself.
    var description: USBDescription { get }

    /// Whether, and when, a card in its field stays mute.
    var muting: PowerMuting { get set }

    /// The host resets the device, or configures it.
    mutating func reset()

    /// Answers a request of the device's class or its maker.
    /// - Returns: the bytes for the host, empty if it asked for none; `nil` refuses.
    mutating func answer(_ request: USBRequest, _ data: [UInt8], at now: ContinuousClock.Instant) -> [UInt8]?

    /// Takes the bytes of a transfer from the host, at a bulk endpoint.
    mutating func receive(_ bytes: [UInt8], at endpoint: UInt8, _ now: ContinuousClock.Instant)

    /// Takes what the device has to say, in order.
    mutating func takeTransfers() -> [USBTransfer]

    /// Takes the events since they were last taken.
    mutating func takeEvents() -> [PN532Event]
}

/// Bytes of a device for its host.
struct USBTransfer: Equatable {
    /// Where the host finds them.
    let endpoint: UInt8
    var bytes: [UInt8]
}
