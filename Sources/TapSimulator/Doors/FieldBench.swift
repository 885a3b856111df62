import LocalSockets

/// Connects a device's field with the card in it, which works on its own thread.
struct FieldBench {
    private let wakeUp: WakeUp
    private var changes = -1
    private var powerLosses = 0
    private var target: (any PN532Target)?
    private var worker: CardWorker?
    /// The number of the worker's last command.
    private var asked = 0
    /// How many commands the cards have been sent.
    private(set) var exchanges = 0

    /// - Parameter wakeUp: called when a card has answered.
    init(wakeUp: WakeUp) { self.wakeUp = wakeUp }

    /// Puts the card where it is wanted.
    mutating func follow(_ placement: CardPlacement, at device: inout some FieldDevice) {
        guard placement.changes != changes else { return }
        changes = placement.changes
        clear(&device)
        guard placement.isPresent else { return }
        target = placement.target
        device.lay(placement.target)
    }

    /// Removes the card.
    mutating func clear(_ device: inout some FieldDevice) {
        device.takeAway()
        dismissWorker()
        target = nil
    }

    /// Takes the card's response to the last command; `nil` while it works.
    func takeAnswer() -> (bytes: [UInt8]?, Void)? { worker?.takeAnswer(to: asked) }

    /// Why the card's last state could not be saved; `nil` if it was saved.
    var fileError: SimulatedCardError? { (target as? SimulatedCard)?.fileError }

    /// Sends the device's command to the card, if there is one.
    mutating func ask(for device: inout some FieldDevice) {
        // A card that lost power forgets its command.
        if powerLosses != device.powerLosses {
            powerLosses = device.powerLosses
            dismissWorker()
        }
        guard let apdu = device.takeQuestion() else { return }
        exchanges += 1
        if worker == nil { worker = target.flatMap { CardWorker(target: $0, wakeUp: wakeUp) } }
        if let worker { asked = worker.ask(apdu) } else { device.cardAnswered(nil) }
    }

    private mutating func dismissWorker() {
        worker?.end()
        worker = nil
    }
}
