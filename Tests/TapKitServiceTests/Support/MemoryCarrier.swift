import ByteCodec
import Synchronization
import TapKitService

/// A transport within the process: lines go to the processor as they are.
final class MemoryCarrier: TestClient.Carrier {
    /// The processor's end.
    private struct End: ClientConnection {
        let inbox: Inbox

        func send(_ line: [UInt8]) {
            let bounds = JSONBounds(length: 1 << 27, depth: 64, valueCount: 1 << 20)
            guard let message = try? JSONReader.value(line, within: bounds) else { return inbox.end() }
            inbox.put(message)
        }

        func room() async {}
        func end() { inbox.end() }
    }

    let inbox: Inbox
    private let client: ServiceClient
    private let reader: Mutex<LineReader>

    /// - Returns: `nil` if there are too many clients.
    init?(_ processor: ServiceProcessor, limits: ServiceLimits, trust: ClientTrust = .program) {
        let inbox = Inbox()
        let peer = Peer(user: 0, process: 1, program: "test")
        guard let joined = processor.join(peer, by: End(inbox: inbox), trust: trust) else { return nil }
        (self.inbox, client) = (inbox, joined)
        reader = Mutex(LineReader(longest: limits.lineLength))
    }

    func send(_ bytes: [UInt8]) {
        let lines = reader.withLock { reader -> [LineReader.Line] in
            bytes.withUnsafeBytes { reader.append($0) }
            var lines: [LineReader.Line] = []
            while let line = reader.next() { lines.append(line) }
            return lines
        }
        for line in lines {
            switch line {
            case .whole(let bytes): client.receive(bytes)
            case .tooLong: client.receiveTooLong()
            }
        }
    }

    func close() { client.leave() }
}
