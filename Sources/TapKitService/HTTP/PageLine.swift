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
        var unsent = 0
        var isEnding = false
        var isOver = false
        var sender: CheckedContinuation<WSFrame?, Never>?
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// How many unsent bytes keep others from following, where it is possible to wait.
    private static let comfortable = 1 << 20

    private let limits: ServiceLimits
    private let outgoing = Mutex(Outgoing())

    init(_ limits: ServiceLimits) { self.limits = limits }

    // MARK: For the processor

    func send(_ line: [UInt8]) { send(WSFrame(fin: true, opcode: .text, mask: nil, payload: Data(line))) }

    func room() async {
        await withCheckedContinuation { continuation in
            let isRoom = outgoing.withLock { outgoing in
                guard !outgoing.isOver, !outgoing.isEnding, outgoing.unsent > Self.comfortable else { return true }
                outgoing.waiting.append(continuation)
                return false
            }
            if isRoom { continuation.resume() }
        }
    }

    func end() {
        send(.close())
        outgoing.withLock { $0.isEnding = true }
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
            outgoing.unsent += frame.payload.count + Self.frameOverhead
            // Whoever reads nothing must not fill the memory.
            if outgoing.unsent > limits.unreadBytes { outgoing.isOver = true }
        }
        tellSender()
    }

    private static let frameOverhead = 16

    private func tellSender() {
        typealias Waiting = [CheckedContinuation<Void, Never>]
        typealias Sender = CheckedContinuation<WSFrame?, Never>
        let (sender, frame, waiting) = outgoing.withLock { outgoing -> (Sender?, WSFrame?, Waiting) in
            let hasMore = outgoing.next < outgoing.frames.count && !outgoing.isOver
            guard let sender = outgoing.sender, hasMore || outgoing.isEnding || outgoing.isOver else {
                return (nil, nil, [])
            }
            outgoing.sender = nil
            var frame: WSFrame?
            if hasMore {
                frame = outgoing.frames[outgoing.next]
                outgoing.frames[outgoing.next] = nil
                outgoing.next += 1
                outgoing.unsent -= (frame?.payload.count ?? 0) + Self.frameOverhead
            }
            if outgoing.next == outgoing.frames.count { (outgoing.frames, outgoing.next) = ([], 0) }
            guard outgoing.unsent <= Self.comfortable || frame == nil else { return (sender, frame, []) }
            defer { outgoing.waiting = [] }
            return (sender, frame, outgoing.waiting)
        }
        sender?.resume(returning: frame)
        for continuation in waiting { continuation.resume() }
    }

    private func over() {
        let waiting = outgoing.withLock { outgoing in
            outgoing.isOver = true
            defer { outgoing.waiting = [] }
            return outgoing.waiting
        }
        for continuation in waiting { continuation.resume() }
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
