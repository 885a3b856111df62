/// A PN532 chip on a board with a bridge from USB to a serial line.
struct SerialBoard: ChipDevice {
    let description: USBDescription
    private let toHost: UInt8
    private let bridge: any SerialBridge.Type
    private var line: any SerialBridge
    var chip = PN532Chip()

    /// A board with a new bridge of this kind.
    init(_ bridge: any SerialBridge.Type) {
        self.bridge = bridge
        line = bridge.init()
        let identity = bridge.identity
        description = USBDescription(
            vendor: identity.vendor, product: identity.product, version: identity.version, names: identity.names,
            power: identity.power,
            interfaces: [
                USBInterface(number: 0, kind: bridge.kind, name: nil, details: [], endpoints: bridge.endpoints)
            ])
        toHost = bridge.endpoints.first { $0.kind == .bulk && $0.isForHost }?.address ?? 0
    }

    mutating func reset() {
        line = bridge.init()
        chip.restart(isAsleep: true)
    }

    mutating func answer(_ request: USBRequest, _ data: [UInt8], at now: ContinuousClock.Instant) -> [UInt8]? {
        line.answer(request, data)
    }

    /// At any other rate than its own, the chip hears nothing that it understands.
    mutating func receive(_ bytes: [UInt8], at endpoint: UInt8, _ now: ContinuousClock.Instant) {
        if hasChipsRate { chip.receive(bytes, at: now) }
    }

    /// Whether the line's rate is the chip's, but for 2 %.
    private var hasChipsRate: Bool {
        let difference = Int64(line.rate ?? 0) - Int64(PN532Chip.lineRate)
        return difference.magnitude * 50 <= PN532Chip.lineRate
    }

    mutating func takeTransfers() -> [USBTransfer] {
        chip.takeFrames().map { USBTransfer(endpoint: toHost, bytes: $0) }
    }
}

/// A bridge from USB to a serial line, as far as a host sees it.
protocol SerialBridge: Sendable {
    static var identity: USBIdentity { get }
    /// The interface's class, subclass and protocol.
    static var kind: (class: UInt8, subclass: UInt8, protocol: UInt8) { get }
    /// One bulk endpoint each way, and what else the bridge has.
    static var endpoints: [USBEndpoint] { get }

    /// A bridge that the host has not set up.
    init()

    /// The line's rate, in bit/s; `nil` until the host has set it.
    var rate: UInt32? { get }

    /// Answers a request of the bridge's maker; `nil` refuses.
    mutating func answer(_ request: USBRequest, _ data: [UInt8]) -> [UInt8]?
}
