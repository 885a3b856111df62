import ByteCodec
import SmartCard

/// A card that answers from a list, and remembers what it was asked. Used from one thread at a time.
final class ScriptedChannel: CardChannel, @unchecked Sendable {
    /// What is answered to one command.
    enum Answer {
        /// A map, then 9000.
        case map(CBORMap)
        /// These bytes, then 9000.
        case data([UInt8])
        /// No data, and this status word.
        case word(UInt16)
        /// These bytes as they are, whatever stands at their end.
        case bytes([UInt8])
        /// A map that depends on the request, then 9000.
        case computed((CBORMap) throws -> CBORMap)
        /// The line fails.
        case failure(ReaderError)
    }

    /// What is left of the script.
    var answers: [Answer]
    /// The command bytes, in order.
    private(set) var requests: [[UInt8]] = []
    /// What the next transactions begin with; a success when empty.
    var beginFailures: [ReaderError] = []
    private(set) var reconnections = 0
    private(set) var disconnections = 0
    private(set) var openTransactions = 0

    init(_ answers: [Answer]) { self.answers = answers }

    func transmit(_ command: [UInt8]) throws(ReaderError) -> [UInt8] {
        requests.append(command)
        guard !answers.isEmpty else { throw ReaderError(.transportFailed, "The script has ended.") }
        switch answers.removeFirst() {
        case .map(let map): return CBOREncoder.encode(.map(map)) + [0x90, 0x00]
        case .data(let data): return data + [0x90, 0x00]
        case .word(let word): return [UInt8(word >> 8), UInt8(truncatingIfNeeded: word)]
        case .bytes(let bytes): return bytes
        case .computed(let answer):
            guard let request = Self.map(in: command), let map = try? answer(request) else {
                throw ReaderError(.transportFailed, "The script cannot answer.")
            }
            return CBOREncoder.encode(.map(map)) + [0x90, 0x00]
        case .failure(let error): throw error
        }
    }

    func beginTransaction() throws(ReaderError) {
        if !beginFailures.isEmpty { throw beginFailures.removeFirst() }
        openTransactions += 1
    }

    func endTransaction() { openTransactions = 0 }

    func reconnect() throws(ReaderError) { reconnections += 1 }

    func disconnect() { disconnections += 1 }

    /// The map in a command APDU.
    static func map(in command: [UInt8]) -> CBORMap? {
        guard command.count > 5, case .map(let map)? = try? CBORDecoder.decode(Array(command[5...])) else { return nil }
        return map
    }

    /// The names of the commands that were sent; SELECT is `select`.
    var commandNames: [String] {
        requests.map { request in
            guard case .text(let name)? = Self.map(in: request)?["cmd"] else { return "select" }
            return name
        }
    }

    /// The maps of the commands with this name.
    func maps(of name: String) -> [CBORMap] {
        requests.compactMap(Self.map(in:)).filter { $0["cmd"] == .text(name) }
    }
}

/// A reader whose cards are scripts: each `connect` takes the next one.
final class ScriptedReader: CardReader, @unchecked Sendable {
    let spec = "sim:script"
    let name = "Script"
    let kind = ReaderKind.sim
    var channels: [ScriptedChannel]
    /// What the next waits for a card end with; a success when empty.
    var waitFailures: [ReaderError] = []
    private(set) var waits: [Duration?] = []

    init(_ channels: ScriptedChannel...) { self.channels = channels }

    func connect() throws(ReaderError) -> any CardChannel {
        guard !channels.isEmpty else { throw ReaderError(.noCard, "No card lies on the reader.") }
        return channels.removeFirst()
    }

    func waitForCard(isPresent: Bool, timeout: Duration?) throws(ReaderError) {
        waits.append(timeout)
        if !waitFailures.isEmpty { throw waitFailures.removeFirst() }
    }

    func cancelWaiting() {}
}
