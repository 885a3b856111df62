/// A USB device that is little more than a PN53x chip with a card in its field.
protocol ChipDevice: USBDevice {
    var chip: PN532Chip { get set }
}

extension ChipDevice {
    var deadline: ContinuousClock.Instant? { chip.deadline }
    var powerLosses: Int { chip.powerLosses }
    var muting: PowerMuting {
        get { chip.muting }
        set { chip.muting = newValue }
    }

    mutating func takeEvents() -> [PN532Event] { chip.takeEvents() }
    mutating func tick(at now: ContinuousClock.Instant) { chip.tick(at: now) }
    mutating func lay(_ target: any PN532Target) { chip.lay(target) }
    mutating func takeAway() { chip.takeAway() }
    mutating func takeQuestion() -> [UInt8]? { chip.takeQuestion() }
    mutating func cardAnswered(_ bytes: [UInt8]?) { chip.cardAnswered(bytes) }
}
