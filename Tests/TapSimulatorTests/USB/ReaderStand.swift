import Synchronization
import TestSupport

@testable import TapSimulator

/// A reader at a socket of its own, for one test.
final class ReaderStand: Sendable {
    let server: USBReaderServer
    let path: String
    private let diary: Diary

    /// Runs a reader beside the body, and stops it.
    static func with(
        _ model: USBReaderModel, _ target: any PN532Target = FieldTarget(),
        _ body: @escaping @Sendable (ReaderStand) throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let stand = try ReaderStand(model, target, folder.path("reader"))
        let running = BesideThread { stand.server.run() }
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await BlockingThread.run { try body(stand) }) } catch { outcome = .failure(error) }
        stand.server.stop()
        await running.end()
        try outcome.get()
    }

    init(_ model: USBReaderModel, _ target: any PN532Target, _ path: String) throws {
        let diary = Diary()
        server = try USBReaderServer(target: target, model: model, path: path) { event in
            diary.events.withLock { $0.append(event) }
        }
        (self.path, self.diary) = (path, diary)
    }

    private final class Diary: Sendable {
        let events = Mutex<[USBReaderEvent]>([])
    }

    /// What the server has said, in order.
    var said: [USBReaderEvent] { diary.events.withLock { $0 } }

    /// A host to which the reader is plugged in and configured.
    func host(capabilities: UInt32 = RedirectionHost.everything) throws -> RedirectionHost {
        let host = try RedirectionHost(path, capabilities: capabilities)
        try host.greet()
        guard try host.configure() == 0 else { throw RedirectionHost.Failure(description: "not configured") }
        return host
    }

    /// A driver of the reader's contactless slot.
    func driver() throws -> CCIDHost { CCIDHost(try host()) }
}
