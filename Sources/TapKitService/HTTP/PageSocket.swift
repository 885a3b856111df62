import FlyingFox
import Glibc

/// Makes a browser's WebSocket a client of the service.
struct PageSocket: WSHandler {
    private let processor: ServiceProcessor
    private let count: @Sendable (Int) -> Void

    /// - Parameter count: told 1 when the page is opened, and -1 when it is closed.
    init(_ processor: ServiceProcessor, count: @escaping @Sendable (Int) -> Void) {
        (self.processor, self.count) = (processor, count)
    }

    func makeFrames(for frames: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        let line = PageLine(processor.limits)
        if let client = processor.join(
            Peer(user: geteuid(), process: 0, program: "tapkit's page"), by: line, trust: .page)
        {
            count(1)
            Task.detached { [count] in
                await line.receive(frames, for: client)
                count(-1)
            }
        } else {
            line.send(processor.tooManyClients)
            line.end()
        }
        return AsyncStream { await line.next() }
    }
}
