import Bitcoin
import FlyingFox
import Synchronization

import struct Foundation.Data

/// One page's connection: JSON-RPC texts as the messages of a WebSocket.
///
/// Spec: RFC 6455.
final class PageLine: ClientConnection {
    private struct Outgoing {
        /// Those before `next` are sent, and empty.
        var frames: [WSFrame?] = []
        var next = 0
        var isEnding = false
        var isOver = false
        var sender: CheckedContinuation<WSFrame?, Never>?
    }

    private let limits: ServiceLimits
    private let unsent = UnsentBytes()
    private let outgoing = Mutex(Outgoing())

    init(_ limits: ServiceLimits) { self.limits = limits }

    // MARK: For the processor

    func send(_ line: [UInt8]) { send(WSFrame(fin: true, opcode: .text, mask: nil, payload: Data(line))) }

    func room() async { await unsent.room() }

    func end() {
        send(.close())
        outgoing.withLock { $0.isEnding = true }
        unsent.end()
        tellSender()
    }

    // MARK: What is sent

    /// The next frame for the browser, when there is one.
    /// - Returns: `nil` when there is none any more.
    func next() async -> WSFrame? {
        await withCheckedContinuation { continuation in
            outgoing.withLock { $0.sender = continuation }
            tellSender()
        }
    }

    private func send(_ frame: WSFrame) {
        outgoing.withLock { outgoing in
            guard !outgoing.isOver, !outgoing.isEnding else { return }
            outgoing.frames.append(frame)
            // Whoever reads nothing must not fill the memory.
            if unsent.add(Self.size(of: frame)) > limits.unreadBytes { outgoing.isOver = true }
        }
        tellSender()
    }

    private static func size(of frame: WSFrame) -> Int { frame.payload.count + 16 }

    private func tellSender() {
        let (sender, frame) = outgoing.withLock { outgoing -> (CheckedContinuation<WSFrame?, Never>?, WSFrame?) in
            let hasMore = outgoing.next < outgoing.frames.count && !outgoing.isOver
            guard let sender = outgoing.sender, hasMore || outgoing.isEnding || outgoing.isOver else {
                return (nil, nil)
            }
            outgoing.sender = nil
            var frame: WSFrame?
            if hasMore {
                frame = outgoing.frames[outgoing.next]
                outgoing.frames[outgoing.next] = nil
                outgoing.next += 1
            }
            if outgoing.next == outgoing.frames.count { (outgoing.frames, outgoing.next) = ([], 0) }
            return (sender, frame)
        }
        if let frame { unsent.remove(Self.size(of: frame)) }
        sender?.resume(returning: frame)
    }

    private func over() {
        outgoing.withLock { $0.isOver = true }
        unsent.end()
        tellSender()
    }

    // MARK: What comes

    /// Hands every message to a client until the browser closes the connection, or breaks the protocol.
    func receive(_ frames: AsyncThrowingStream<WSFrame, any Error>, for client: ServiceClient) async {
        defer {
            client.leave()
            over()
        }
        var message: [UInt8] = []
        defer { message.wipe() }
        var isBegun = false
        do {
            for try await var frame in frames {
                defer { frame.payload.resetBytes(in: 0..<frame.payload.count) }
                // Control frames are short and whole (section 5.5).
                let isControl = frame.opcode.rawValue >= WSFrame.Opcode.close.rawValue
                guard !isControl || (frame.fin && frame.payload.count <= 125) else { return }
                switch frame.opcode {
                case .close: return end()
                case .ping: send(WSFrame(fin: true, opcode: .pong, mask: nil, payload: frame.payload))
                case .pong: break
                case .text where !isBegun, .continuation where isBegun:
                    guard message.count + frame.payload.count <= limits.lineLength else {
                        client.receiveTooLong()
                        return end()
                    }
                    message += frame.payload
                    isBegun = !frame.fin
                    guard frame.fin else { break }
                    client.receive(message)
                    message.wipe()
                    message = []
                default: return end()
                }
            }
        } catch { return }
    }
}
