import Glibc

/// The driver's end of a virtual reader, for tests: listens on a port of the loopback.
final class DriverPeer {
    /// Why a test's exchange with the card failed.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private var listener: Int32
    private var connection: Int32 = -1

    /// Listens on a reserved port.
    init(port: LoopbackPort) throws {
        listener = try port.boundSocket()
        guard listen(listener, 1) == 0 else { throw Failure(description: "cannot listen") }
    }

    deinit { close() }

    /// Stops listening and hangs up.
    func close() {
        hangUp()
        if listener >= 0 { Glibc.close(listener) }
        listener = -1
    }

    /// Waits for the card's connection.
    func accept() throws {
        hangUp()
        try wait(listener, for: "a connection")
        connection = Glibc.accept(listener, nil, nil)
    }

    /// Waits for a connection, powers the card up and sends a command. A connection that the card gives up at once,
    /// because it was laid down or pulled while it connected, is passed over, as the driver does.
    func firstAnswer(to command: [UInt8]) throws -> [UInt8] {
        for _ in 0..<3 {
            try accept()
            send([1])
            if let answer = try? exchange(command) { return answer }
        }
        throw Failure(description: "every connection is given up")
    }

    /// Ends the connection.
    func hangUp() {
        if connection >= 0 { Glibc.close(connection) }
        connection = -1
    }

    /// Sends a message in two writes, as the driver does.
    func send(_ content: [UInt8]) {
        _ = Glibc.send(connection, [UInt8(content.count >> 8), UInt8(content.count & 0xFF)], 2, Int32(MSG_NOSIGNAL))
        if !content.isEmpty { _ = Glibc.send(connection, content, content.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Waits for one message that came in one write.
    func receive() throws -> [UInt8] {
        try wait(connection, for: "an answer")
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(connection, &buffer, buffer.count, 0)
        guard count >= 2 else { throw Failure(description: "hung up") }
        let content = Array(buffer[2..<count])
        guard content.count == Int(buffer[0]) << 8 | Int(buffer[1]) else {
            throw Failure(description: "an answer in pieces, or two at once")
        }
        return content
    }

    /// Sends a message and waits for its answer.
    func exchange(_ content: [UInt8]) throws -> [UInt8] {
        send(content)
        return try receive()
    }

    /// Whether the card has hung up, within the time a test waits.
    func cardHungUp() throws -> Bool {
        try wait(connection, for: "the end")
        var byte: UInt8 = 0
        return recv(connection, &byte, 1, 0) <= 0
    }

    private func wait(_ descriptor: Int32, for what: String) throws {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 30_000) == 1 else { throw Failure(description: "no \(what)") }
    }
}
