import Foundation
import Synchronization

/// A connection on this machine. Its calls block, at most a minute each unless it is told otherwise.
public final class LoopbackSocket: Sendable {
    /// The descriptor.
    public let descriptor: Int32

    /// Takes over a connected socket.
    /// - Parameter limit: how many seconds a call may block, from 1; `nil` where the other side may stay silent as long as
    ///   it likes, and surely closes its end.
    public init(descriptor: Int32, limit: Int? = 60) {
        self.descriptor = descriptor
        var limit = timeval(tv_sec: limit ?? 0, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Connects.
    /// - Parameter limit: how many seconds a call may block, from 1.
    public convenience init(port: UInt16, limit: Int = 60) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        self.init(descriptor: descriptor, limit: limit)
        let status = Self.withAddress(port: port) { connect(descriptor, $0, $1) }
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { close(descriptor) }

    /// Ends both directions; whoever reads sees the end.
    public func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Ends the direction away from here: whoever reads there sees the end, and may still answer.
    public func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Writes all bytes.
    public func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads what there is, or waits for more; empty at the end.
    public func read(most: Int = 65_536) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: most)
        let count = recv(descriptor, &bytes, most, 0)
        guard count >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return Array(bytes.prefix(count))
    }

    /// Reads until the other side has ended.
    public func readToEnd() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try read()
            guard !piece.isEmpty else { return bytes }
            bytes += piece
        }
    }

    /// Reads so many bytes.
    public func read(exactly wanted: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < wanted {
            let piece = try read(most: wanted - bytes.count)
            guard !piece.isEmpty else { throw POSIXError(.ECONNRESET) }
            bytes += piece
        }
        return bytes
    }

    /// Reads a line, byte by byte, without its end; `nil` when the other side has ended.
    public func readLine() throws -> String? {
        var line: [UInt8] = []
        while true {
            let byte = try read(most: 1)
            guard let byte = byte.first else { return nil }
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
    }

    /// Reads an HTTP message with a length, and returns its body.
    public func readBody() throws -> [UInt8] {
        var length = 0
        while let line = try readLine()?.trimmingCharacters(in: .whitespacesAndNewlines), !line.isEmpty {
            let parts = line.lowercased().split(separator: ":", maxSplits: 1)
            if parts.first == "content-length", parts.count == 2 {
                length = Int(parts[1].trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
            }
        }
        return try read(exactly: length)
    }

    /// A port that is free, another one each time, and stays so: it is below those that the kernel gives to whoever connects.
    /// Among those a port whose server is being restarted may go to a client, even to one that asks for this very server.
    public static func freePort() throws -> UInt16 {
        while true {
            let port = nextPort.withLock { next in
                defer { next += 1 }
                return next
            }
            guard port < 32_768 else { throw POSIXError(.EADDRINUSE) }
            if (try? LoopbackListener(port: port)) != nil { return port }
        }
    }

    private static let nextPort = Mutex<UInt16>(20_000)

    static func withAddress<Result>(
        port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

/// A listening socket on loopback.
public final class LoopbackListener: Sendable {
    /// The port.
    public let port: UInt16
    let descriptor: Int32

    /// Listens.
    /// - Parameter port: 0 for any that is free.
    public init(port: UInt16 = 0) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard LoopbackSocket.withAddress(port: port, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, 16) == 0,
            let port = Self.port(of: descriptor)
        else {
            let fault = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            close(descriptor)
            throw fault
        }
        self.descriptor = descriptor
        self.port = port
    }

    private static func port(of descriptor: Int32) -> UInt16? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return status == 0 ? UInt16(bigEndian: address.sin_port) : nil
    }

    deinit { close(descriptor) }

    /// Waits for the next connection; `nil` when the listener has been ended.
    public func accept() -> LoopbackSocket? {
        let connection = Foundation.accept(descriptor, nil, nil)
        // A client that is a task may wait long for its turn beside other tests.
        return connection < 0 ? nil : LoopbackSocket(descriptor: connection, limit: 600)
    }

    /// Ends it; `accept` returns.
    public func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
