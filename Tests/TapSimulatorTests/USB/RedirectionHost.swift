import Glibc

/// The machine's end of a usbredir connection, for tests. Written from the protocol, without the code that it tests.
final class RedirectionHost {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    struct Packet: Equatable {
        let kind: UInt32
        let number: UInt64
        let content: [UInt8]
    }

    enum Kind {
        static let hello: UInt32 = 0
        static let connect: UInt32 = 1
        static let disconnect: UInt32 = 2
        static let reset: UInt32 = 3
        static let interfaces: UInt32 = 4
        static let endpoints: UInt32 = 5
        static let setConfiguration: UInt32 = 6
        static let configuration: UInt32 = 8
        static let startInterrupts: UInt32 = 15
        static let interruptStatus: UInt32 = 17
        static let cancel: UInt32 = 21
        static let disconnectSeen: UInt32 = 24
        static let control: UInt32 = 100
        static let bulk: UInt32 = 101
        static let interrupt: UInt32 = 103
    }

    /// All that QEMU 7.2 can do: everything but streams.
    static let everything: UInt32 = 0b1111_1110

    private let descriptor: Int32
    private let capabilities: UInt32
    private var isWide = false
    private var received: [UInt8] = []
    private var unread: [Packet] = []
    private var number: UInt64 = 0x1_0000_0000

    /// Connects to a reader's socket, or waits for the reader at its own.
    init(_ path: String, listening: Int32? = nil, capabilities: UInt32 = everything) throws {
        self.capabilities = capabilities
        if let listening {
            var entry = pollfd(fd: listening, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 30_000) == 1 else { throw Failure(description: "nobody connects") }
            descriptor = accept(listening, nil, nil)
        } else {
            descriptor = Self.socket(at: path, Glibc.connect)
        }
        guard descriptor >= 0 else { throw Failure(description: "no connection to \(path): \(errno)") }
    }

    deinit { close(descriptor) }

    /// A socket that listens, as QEMU's `server=on` does.
    static func listen(at path: String) throws -> Int32 {
        let descriptor = socket(at: path, Glibc.bind)
        guard descriptor >= 0, Glibc.listen(descriptor, 1) == 0 else {
            throw Failure(description: "cannot listen: \(errno)")
        }
        return descriptor
    }

    private static func socket(
        at path: String, _ call: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32
    ) -> Int32 {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if status == 0 { return descriptor }
        close(descriptor)
        return -1
    }

    // MARK: Packets

    /// Ends the connection while the object lives on.
    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    func sendRaw(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    func send(_ kind: UInt32, _ number: UInt64, _ content: [UInt8] = []) {
        sendRaw(Self.little(kind) + Self.little(UInt32(content.count)) + numberBytes(number) + content)
    }

    private func numberBytes(_ number: UInt64) -> [UInt8] {
        isWide ? Self.little(number) : Self.little(UInt32(truncatingIfNeeded: number))
    }

    static func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        (0..<(Value.bitWidth / 8)).map { UInt8(truncatingIfNeeded: value >> Value(8 * $0)) }
    }

    static func number(_ bytes: some Collection<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Waits for the next packet of a kind, and keeps the others.
    func receive(_ kind: UInt32, _ number: UInt64? = nil) throws -> Packet {
        let number = number.map { isWide ? $0 : $0 & 0xFFFF_FFFF }
        while true {
            if let place = unread.firstIndex(where: { $0.kind == kind && (number ?? $0.number) == $0.number }) {
                return unread.remove(at: place)
            }
            try receive()
        }
    }

    /// Waits for the next packet, whatever it is.
    func receiveAny() throws -> Packet {
        while unread.isEmpty { try receive() }
        return unread.removeFirst()
    }

    /// Whether the reader has hung up, within the time a test waits.
    func isHungUpOn() -> Bool {
        while true {
            do { try receive() } catch { return (error as? Failure)?.description == "hung up" }
        }
    }

    private func receive() throws {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 30_000) == 1 else { throw Failure(description: "silence") }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw Failure(description: "hung up") }
        received += buffer.prefix(count)
        while let packet = next() { unread.append(packet) }
    }

    private func next() -> Packet? {
        let header = isWide ? 16 : 12
        guard received.count >= header else { return nil }
        let length = Int(Self.number(received[4..<8]))
        guard received.count >= header + length else { return nil }
        defer { received.removeFirst(header + length) }
        let packet = Packet(
            kind: UInt32(Self.number(received[0..<4])), number: Self.number(received[8..<header]),
            content: Array(received[header..<(header + length)]))
        if packet.kind == Kind.hello {
            let theirs = UInt32(truncatingIfNeeded: Self.number(packet.content.dropFirst(64).prefix(4)))
            isWide = theirs & capabilities & 1 << 5 != 0
        }
        return packet
    }

    // MARK: The device

    /// Exchanges hello, and takes the announcement: endpoints, interfaces, device.
    @discardableResult
    func greet() throws -> [Packet] {
        send(Kind.hello, 0, [UInt8](repeating: 0, count: 64) + Self.little(capabilities))
        _ = try receive(Kind.hello)
        return try [Kind.endpoints, Kind.interfaces, Kind.connect].map { kind in
            let packet = try receiveAny()
            guard packet.kind == kind else { throw Failure(description: "\(packet.kind) instead of \(kind)") }
            return packet
        }
    }

    /// Sets the configuration.
    /// - Returns: the status.
    @discardableResult
    func configure(_ configuration: UInt8 = 1) throws -> UInt8 {
        number += 1
        send(Kind.setConfiguration, number, [configuration])
        return try receive(Kind.configuration, number).content[0]
    }

    /// Makes a control transfer.
    func control(
        _ kind: UInt8, _ code: UInt8, _ value: UInt16, _ index: UInt16 = 0, length: UInt16 = 255, _ data: [UInt8] = []
    ) throws -> (status: UInt8, data: [UInt8]) {
        number += 1
        let isIn = kind & 0x80 != 0
        let fields = Self.little(value) + Self.little(index) + Self.little(isIn ? length : UInt16(data.count))
        send(Kind.control, number, [kind & 0x80, code, kind, 0] + fields + data)
        let answer = try receive(Kind.control, number).content
        guard !isIn || answer.count == 10 + Int(Self.number(answer[8..<10])) else {
            throw Failure(description: "a control transfer that lies about its length")
        }
        return (answer[3], Array(answer.dropFirst(10)))
    }

    /// Sends bytes to a bulk endpoint.
    /// - Returns: the status.
    @discardableResult
    func write(_ bytes: [UInt8], to endpoint: UInt8) throws -> UInt8 {
        number += 1
        send(Kind.bulk, number, bulkHeader(endpoint, bytes.count) + bytes)
        return try receive(Kind.bulk, number).content[1]
    }

    /// Begins to read from a bulk endpoint.
    /// - Returns: the packet's number.
    func offer(_ length: Int = 4_096, to endpoint: UInt8) -> UInt64 {
        number += 1
        send(Kind.bulk, number, bulkHeader(endpoint, length))
        return number
    }

    /// Waits for the end of a read.
    func result(_ number: UInt64) throws -> (status: UInt8, bytes: [UInt8]) {
        let content = try receive(Kind.bulk, number).content
        let header = bulkHeader(0, 0).count
        let length = Int(Self.number(content[2..<4])) | (header > 8 ? Int(Self.number(content[8..<10])) << 16 : 0)
        guard content.count == header + length else {
            throw Failure(description: "a bulk transfer that lies about its length")
        }
        return (content[1], Array(content.dropFirst(header)))
    }

    /// Reads from a bulk endpoint.
    func read(_ length: Int = 4_096, from endpoint: UInt8) throws -> (status: UInt8, bytes: [UInt8]) {
        try result(offer(length, to: endpoint))
    }

    private func bulkHeader(_ endpoint: UInt8, _ length: Int) -> [UInt8] {
        let high = capabilities & 1 << 6 != 0 ? Self.little(UInt16(length >> 16)) : []
        return [endpoint, 0] + Self.little(UInt16(length & 0xFFFF)) + Self.little(0 as UInt32) + high
    }

    /// Begins to hear an endpoint's interrupts.
    func startInterrupts(_ endpoint: UInt8) throws {
        number += 1
        send(Kind.startInterrupts, number, [endpoint])
        guard try receive(Kind.interruptStatus, number).content == [0, endpoint] else {
            throw Failure(description: "no interrupts")
        }
    }

    /// Waits for an interrupt.
    func interrupt() throws -> [UInt8] { Array(try receive(Kind.interrupt).content.dropFirst(4)) }
}
