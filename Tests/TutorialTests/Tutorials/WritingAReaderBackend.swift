import Glibc
import SmartCard
import Synchronization

/// The line to a program that has a card: two bytes of length, then that many bytes; one answer per request.
final class BridgeLine: Sendable {
    private let descriptor: Int32

    /// Takes over a connected socket, which is closed with the last reference to the line.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Sends one message, and blocks until the answer arrives.
    func answer(to request: [UInt8]) throws(ReaderError) -> [UInt8] {
        guard let length = UInt16(exactly: request.count) else {
            throw ReaderError(.transportFailed, "A message of \(request.count) bytes is too long for the bridge.")
        }
        try sendAll([UInt8(length >> 8), UInt8(length & 0xFF)] + request)
        let count = try receive(2).reduce(0) { $0 << 8 | Int($1) }
        return try receive(count)
    }

    /// Whether a card is there: an empty request asks this, and any byte other than 0 means yes.
    func hasCard() throws(ReaderError) -> Bool { try answer(to: []).contains { $0 != 0 } }

    private func sendAll(_ bytes: [UInt8]) throws(ReaderError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { throw Self.gone }
            rest = rest.dropFirst(sent)
        }
    }

    private func receive(_ count: Int) throws(ReaderError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var part = [UInt8](repeating: 0, count: count - bytes.count)
            let received = part.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard received > 0 else { throw Self.gone }
            bytes += part.prefix(received)
        }
        return bytes
    }

    private static let gone = ReaderError(
        .readerGone, "The program behind the bridge has ended.", remedy: "Start it again, then try again.")
}

/// A reader behind a bridge.
final class BridgeReader: CardReader {
    let spec = "sim:bridge"
    let name = "Bridge"
    let kind = ReaderKind.sim
    private let line: BridgeLine
    private let cancellations = Atomic<Int>(0)

    init(descriptor: Int32) { line = BridgeLine(descriptor: descriptor) }

    func connect() throws(ReaderError) -> any CardChannel {
        guard try line.hasCard() else { throw BridgeChannel.noCard }
        return BridgeChannel(line)
    }

    func waitForCard(isPresent: Bool, timeout: Duration?) throws(ReaderError) {
        let before = cancellations.load(ordering: .acquiring)
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while try line.hasCard() != isPresent {
            guard cancellations.load(ordering: .acquiring) == before else {
                throw ReaderError(.cancelled, "The wait was cancelled.")
            }
            if let deadline, ContinuousClock.now >= deadline {
                throw ReaderError(.timedOut, isPresent ? "No card was put on the reader." : "The card was not removed.")
            }
            usleep(20_000)
        }
    }

    func cancelWaiting() { cancellations.add(1, ordering: .releasing) }
}

/// The connection to the card behind the bridge.
final class BridgeChannel: CardChannel {
    static let noCard = ReaderError(.noCard, "There is no card behind the bridge.", remedy: "Put one there.")
    private let line: BridgeLine
    private var isOpen = true

    init(_ line: BridgeLine) { self.line = line }

    func transmit(_ command: [UInt8]) throws(ReaderError) -> [UInt8] {
        try requireOpen()
        guard command.count >= 4 else { throw ReaderError(.transportFailed, "A command has at least four bytes.") }
        let answer = try line.answer(to: command)
        guard answer.count >= 2 else {
            throw ReaderError(.cardRemoved, "The card was removed.", remedy: "Put it back.")
        }
        return answer
    }

    func beginTransaction() throws(ReaderError) { try requireOpen() }

    func endTransaction() {}

    func reconnect() throws(ReaderError) {
        try requireOpen()
        guard try line.hasCard() else { throw Self.noCard }
    }

    func disconnect() { isOpen = false }

    private func requireOpen() throws(ReaderError) {
        guard isOpen else { throw ReaderError(.transportFailed, "The channel is closed.") }
    }
}
