/// A reader of the class CCID. The first slot is the one for contactless cards; any other stays empty.
///
/// Spec: CCID 1.10.
struct CCIDReader: USBDevice {
    let description: USBDescription
    private(set) var slots: [CCIDSlot]

    /// - Parameters:
    ///   - description: the device without its interfaces.
    ///   - slots: one for each interface, with the interface's name.
    init(_ identity: USBIdentity, _ slots: [(name: String?, slot: CCIDSlot)]) {
        self.slots = slots.map(\.slot)
        description = USBDescription(
            vendor: identity.vendor, product: identity.product, version: identity.version, names: identity.names,
            power: identity.power,
            interfaces: slots.enumerated().map { number, entry in
                USBInterface(
                    number: UInt8(clamping: number), kind: (0x0B, 0, 0), name: entry.name,
                    details: entry.slot.traits.descriptor, endpoints: entry.slot.endpoints.all)
            })
    }

    mutating func reset() { for place in slots.indices { slots[place].reset() } }

    mutating func answer(_ request: USBRequest, _ data: [UInt8], at now: ContinuousClock.Instant) -> [UInt8]? {
        let place = Int(request.index & 0xFF)
        guard request.recipient == .interface, slots.indices.contains(place) else { return nil }
        return slots[place].answer(request)
    }

    mutating func receive(_ bytes: [UInt8], at endpoint: UInt8, _ now: ContinuousClock.Instant) {
        let packet = Int(description.endpoint(endpoint)?.longestPacket ?? 0)
        for place in slots.indices where slots[place].endpoints.command == endpoint {
            slots[place].receive(bytes, packet: packet, at: now)
        }
    }

    mutating func takeTransfers() -> [USBTransfer] { slots.indices.flatMap { slots[$0].takeTransfers() } }

    mutating func takeEvents() -> [PN532Event] { slots[0].chip.takeEvents() }
}

/// The card in the first slot.
extension CCIDReader {
    var powerLosses: Int { slots[0].chip.powerLosses }

    var muting: PowerMuting {
        get { slots[0].chip.muting }
        set { slots[0].chip.muting = newValue }
    }

    var deadline: ContinuousClock.Instant? {
        [slots[0].chip.deadline, slots[0].extensionDue].compactMap { $0 }.min()
    }

    mutating func tick(at now: ContinuousClock.Instant) {
        slots[0].chip.tick(at: now)
        slots[0].extendTime(at: now)
        slots[0].settle()
    }

    mutating func lay(_ target: any PN532Target) {
        slots[0].chip.lay(target)
        slots[0].noteChange()
        slots[0].settle()
    }

    mutating func takeAway() {
        guard slots[0].chip.card != nil else { return }
        slots[0].chip.takeAway()
        slots[0].noteChange()
        slots[0].settle()
    }

    mutating func takeQuestion() -> [UInt8]? { slots[0].chip.takeQuestion() }

    mutating func cardAnswered(_ bytes: [UInt8]?) {
        slots[0].chip.cardAnswered(bytes)
        slots[0].settle()
    }
}

extension CCIDSlot.Endpoints {
    private static let packet: UInt16 = 64
    private static let changePacket: UInt16 = 8
    private static let changeInterval: UInt8 = 16

    fileprivate var all: [USBEndpoint] {
        [
            USBEndpoint(
                address: change, kind: .interrupt, longestPacket: Self.changePacket, interval: Self.changeInterval),
            USBEndpoint(address: command, kind: .bulk, longestPacket: Self.packet, interval: 0),
            USBEndpoint(address: response, kind: .bulk, longestPacket: Self.packet, interval: 0),
        ]
    }
}
