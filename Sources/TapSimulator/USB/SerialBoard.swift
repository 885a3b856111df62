/// A PN532 chip on a board with a bridge from USB to a serial line.
struct SerialBoard: ChipDevice {
    let description: USBDescription
    private let toHost: USBEndpoint?
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
            power: identity.power, interfaces: bridge.interfaces)
        toHost = bridge.interfaces.flatMap(\.endpoints).first { $0.kind == .bulk && $0.isForHost }
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
        guard let toHost else { return [] }
        return chip.takeFrames().map { USBTransfer(endpoint: toHost.address, bytes: bridge.wrapped($0, for: toHost)) }
    }
}

/// A bridge from USB to a serial line, as far as a host sees it.
protocol SerialBridge: Sendable {
    static var identity: USBIdentity { get }
    /// With one bulk endpoint each way, and what else the bridge has.
    static var interfaces: [USBInterface] { get }

    /// A bridge that the host has not set up.
    init()

    /// The line's rate, in bit/s; `nil` until the host has set it.
    var rate: UInt32? { get }

    /// Answers a request of the bridge's class or maker; `nil` refuses.
    mutating func answer(_ request: USBRequest, _ data: [UInt8]) -> [UInt8]?

    /// What came over the line, as the host gets it in a transfer.
    static func wrapped(_ bytes: [UInt8], for endpoint: USBEndpoint) -> [UInt8]
}

extension SerialBridge {
    static func wrapped(_ bytes: [UInt8], for endpoint: USBEndpoint) -> [UInt8] { bytes }

    /// The only interface of a bridge that speaks its maker's language.
    static func interface(
        _ subclass: UInt8, _ protocol: UInt8, _ endpoints: [USBEndpoint]
    ) -> [USBInterface] {
        [USBInterface(number: 0, kind: (0xFF, subclass, `protocol`), name: nil, details: [], endpoints: endpoints)]
    }
}
