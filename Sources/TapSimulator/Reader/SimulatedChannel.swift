import SmartCard
import Threads

/// The connection to the card on a `SimulatedReader`.
final class SimulatedChannel: CardChannel {
    private let place: Monitor<SimulatedReader.Place>
    private var placement: Int
    private var isOpen = true
    private var isInTransaction = false

    init(place: Monitor<SimulatedReader.Place>, placement: Int) {
        self.place = place
        self.placement = placement
    }

    deinit { disconnect() }

    func transmit(_ command: [UInt8]) throws(ReaderError) -> [UInt8] {
        // The interceptor is called without the lock, so that it may use the reader.
        let (exchange, interceptor) = try use { (place) throws(ReaderError) in
            place.exchanges += 1
            let exchange = CardExchange(number: place.exchanges, command: command)
            place.counts[exchange.name, default: 0] += 1
            return (exchange, place.interceptor)
        }
        guard let answer = try carryOut(interceptor?.command(exchange) ?? .pass, command) else { throw Self.removed }
        return try deliver(interceptor?.answer(answer, to: exchange) ?? .pass, answer)
    }

    func beginTransaction() throws(ReaderError) {
        guard !isInTransaction else {
            throw ReaderError(.transportFailed, "A transaction on the simulated card is already open.")
        }
        try use { (_) throws(ReaderError) in }
        isInTransaction = true
    }

    func endTransaction() { isInTransaction = false }

    func reconnect() throws(ReaderError) {
        guard isOpen else { throw Self.closed }
        isInTransaction = false
        placement = try place.withLock { (place) throws(ReaderError) in
            try place.powerOn()
            return place.placement
        }
    }

    func disconnect() {
        guard isOpen else { return }
        isOpen = false
        place.withLock { place in
            place.closeFile()
            place.isConnected = false
        }
    }

    /// Applies the interceptor's decision to the command.
    /// - Returns: the response; `nil` if the card is gone.
    private func carryOut(_ interception: CommandInterception, _ command: [UInt8]) throws(ReaderError) -> [UInt8]? {
        switch interception {
        case .pass: return try process(command)
        case .passTwice:
            _ = try process(command)
            return try process(command)
        case .replace(let other): return try process(other)
        case .answer(let answer): return answer
        case .pull(let cardReturn):
            place.withLock { $0.pull(cardReturn) }
            return nil
        case .cutPower:
            try use { (place) throws(ReaderError) in try place.cutPower() }
            return try process(command)
        case .swap(let card):
            place.withLock { $0.insert(card) }
            return nil
        case .swapUnnoticed(let card):
            try use { (place) throws(ReaderError) in try place.cutPower(replacingBy: card) }
            return try process(command)
        case .fail(let error): throw error
        }
    }

    /// Applies the interceptor's decision to the response.
    private func deliver(_ interception: AnswerInterception, _ answer: [UInt8]) throws(ReaderError) -> [UInt8] {
        switch interception {
        case .pass: return answer
        case .replace(let other): return other
        case .pull(let cardReturn):
            place.withLock { $0.pull(cardReturn) }
            throw Self.removed
        case .replaceThenPull(let other, let cardReturn):
            place.withLock { $0.pull(cardReturn) }
            return other
        case .cutPower:
            try use { (place) throws(ReaderError) in try place.cutPower() }
            return answer
        case .fail(let error): throw error
        }
    }

    private func process(_ command: [UInt8]) throws(ReaderError) -> [UInt8] {
        // Without the lock, so that the card can be removed during the wait.
        guard let card = try use({ (place) throws(ReaderError) in place.card }) else { throw Self.removed }
        let answer = card.process(apdu: command)
        try use { (_) throws(ReaderError) in }
        return answer
    }

    /// Gives access to the place as long as this channel's card is there.
    private func use<Result>(
        _ body: (inout SimulatedReader.Place) throws(ReaderError) -> Result
    ) throws(ReaderError) -> Result {
        guard isOpen else { throw Self.closed }
        return try place.withLock { [placement] (place) throws(ReaderError) in
            guard place.placement == placement else { throw Self.removed }
            return try body(&place)
        }
    }

    private static let removed = ReaderError(
        .cardRemoved, "The simulated card was removed.", remedy: "Put it back on the reader.")
    private static let closed = ReaderError(.transportFailed, "The channel to the simulated card is closed.")
}
