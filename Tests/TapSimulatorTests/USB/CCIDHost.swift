/// A driver of the class CCID, for tests. Written from the class's document, without the code that it tests.
final class CCIDHost {
    struct Reply: Equatable {
        let kind: UInt8
        let data: [UInt8]
        /// The card: 0 active, 1 inactive, 2 absent.
        let card: UInt8
        /// The command: 0 done, 1 failed, 2 more time.
        let command: UInt8
        let error: UInt8
        let detail: UInt8
    }

    let host: RedirectionHost
    private let (command, response, change): (UInt8, UInt8, UInt8)
    private(set) var sequence: UInt8 = 0
    /// How often the reader asked for more time.
    private(set) var extensions = 0

    init(_ host: RedirectionHost, command: UInt8 = 0x02, response: UInt8 = 0x82, change: UInt8 = 0x81) {
        self.host = host
        (self.command, self.response, self.change) = (command, response, change)
    }

    static func message(
        _ kind: UInt8, _ data: [UInt8] = [], sequence: UInt8 = 0, slot: UInt8 = 0, _ details: [UInt8] = [0, 0, 0]
    ) -> [UInt8] {
        [kind] + RedirectionHost.little(UInt32(data.count)) + [slot, sequence] + details + data
    }

    /// Sends a message without waiting for its answer.
    func begin(_ kind: UInt8, _ data: [UInt8] = [], slot: UInt8 = 0, _ details: [UInt8] = [0, 0, 0]) throws {
        sequence &+= 1
        try write(Self.message(kind, data, sequence: sequence, slot: slot, details))
    }

    /// Writes a transfer.
    func write(_ bytes: [UInt8]) throws {
        guard try host.write(bytes, to: command) == 0 else { throw RedirectionHost.Failure(description: "refused") }
    }

    /// Reads a transfer.
    func read(_ length: Int = 4_096) throws -> (status: UInt8, bytes: [UInt8]) {
        try host.read(length, from: response)
    }

    /// Reads the answer to the last message, after all wishes for more time.
    func reply() throws -> Reply {
        while true {
            let (status, bytes) = try read()
            guard status == 0, bytes.count >= 10, bytes.count == 10 + Int(RedirectionHost.number(bytes[1..<5])),
                bytes[6] == sequence
            else { throw RedirectionHost.Failure(description: "a bad answer (\(status)): \(bytes)") }
            let reply = Reply(
                kind: bytes[0], data: Array(bytes.dropFirst(10)), card: bytes[7] & 3, command: bytes[7] >> 6,
                error: bytes[8], detail: bytes[9])
            if reply.command != 2 { return reply }
            extensions += 1
        }
    }

    /// Sends a message, and waits for its answer.
    @discardableResult
    func send(
        _ kind: UInt8, _ data: [UInt8] = [], slot: UInt8 = 0, _ details: [UInt8] = [0, 0, 0]
    ) throws -> Reply {
        try begin(kind, data, slot: slot, details)
        return try reply()
    }

    /// Powers the card.
    /// - Returns: the answer to reset.
    @discardableResult
    func powerOn() throws -> [UInt8] {
        let reply = try send(0x62)
        guard reply.kind == 0x80, reply.command == 0, reply.card == 0 else {
            throw RedirectionHost.Failure(description: "no power: \(reply)")
        }
        return reply.data
    }

    /// Sends the card an APDU.
    func transmit(_ apdu: [UInt8]) throws -> [UInt8] {
        let reply = try send(0x6F, apdu)
        guard reply.kind == 0x80, reply.command == 0, reply.detail == 0 else {
            throw RedirectionHost.Failure(description: "no answer: \(reply)")
        }
        return reply.data
    }

    /// Hears slot changes from now on.
    func hearChanges() throws { try host.startInterrupts(change) }

    /// Waits for a slot change.
    /// - Returns: the slot's bits.
    func changed() throws -> UInt8 {
        let bytes = try host.interrupt()
        guard bytes.count == 2, bytes[0] == 0x50 else {
            throw RedirectionHost.Failure(description: "no slot change: \(bytes)")
        }
        return bytes[1]
    }
}
