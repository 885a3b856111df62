import Bitcoin
import ByteCodec
import ExplainedErrors
import FlowSupport
import LocalSockets
import SmartCard
import Synchronization
import TapKitService
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing
import Threads

/// A service with simulated cards, and the programs that use it.
final class ServiceBench: Sendable {
    /// How programs reach the service.
    enum Way: String, CaseIterable, Sendable { case memory, socket, page }

    let store: MemoryStore
    let processor: ServiceProcessor
    let limits: ServiceLimits
    private let way: Way
    private let folder: TemporaryFolder
    private let transport: UnixTransport?
    private let page: Task<OpenPage, any Error>?

    /// The socket's path.
    var path: String { folder.path("tapkit.sock") }

    /// - Parameter kept: a store in a folder, which is used instead of the one in memory.
    init(
        _ way: Way = .memory, cards: [FlowBench] = [], store: MemoryStore = MemoryStore(),
        kept: SQLiteStore? = nil,
        desk: ScriptedDesk = ScriptedDesk(), chain: ChainServers? = nil, limits: ServiceLimits = ServiceLimits(),
        network: Network? = nil, clock: @escaping LeaseBook.Clock = { ContinuousClock.now },
        qrCode: ServiceProcessor.QRMaker? = nil
    ) throws {
        (self.way, self.store, self.limits) = (way, store, limits)
        folder = try TemporaryFolder()
        let readers = cards.enumerated().map { NamedReader($1.reader, number: $0) }
        let manager = CardManager(
            store: kept ?? store, readers: [NamedReaders(readers)], chain: chain,
            acceptedRoots: [try SimulatedFactory.standard.rootKey], clock: { UnixTime(seconds: 1_800_000_000) })
        processor = ServiceProcessor(
            manager, desk: desk, version: "test", limits: limits, network: network, clock: clock, qrCode: qrCode)
        let processor = processor
        switch way {
        case .memory: (transport, page) = (nil, nil)
        case .socket:
            page = nil
            let transport = try UnixTransport(SocketDoor(at: folder.path("tapkit.sock")))
            self.transport = transport
            #expect(DetachedThread.run { transport.run(processor) })
        case .page:
            transport = nil
            page = Task {
                let page = try await OpenPage(processor)
                #expect(await page.enter().status == 200)
                return page
            }
        }
    }

    deinit {
        transport?.stop()
        guard let page else { return }
        Task { try await page.value.transport.stop() }
    }

    /// A program that uses the service.
    /// - Parameter reply: answers the service's questions, given their method and parameters.
    func client(
        answering reply: (@Sendable (String, JSONValue) -> JSONText?)? = nil
    ) async throws -> TestClient {
        switch way {
        case .memory:
            let carrier = try #require(MemoryCarrier(processor, limits: limits))
            return TestClient(carrier, carrier.inbox, of: self, answering: reply)
        case .socket:
            let carrier = try SocketCarrier(path)
            return TestClient(carrier, carrier.inbox, of: self, answering: reply)
        case .page:
            let page = try #require(page)
            let carrier = try #require(await page.value.carrier())
            return TestClient(carrier, carrier.inbox, of: self, answering: reply)
        }
    }

    /// The page of the program itself, without a browser.
    func ownPage(answering reply: (@Sendable (String, JSONValue) -> JSONText?)? = nil) throws -> TestClient {
        let carrier = try #require(MemoryCarrier(processor, limits: limits, trust: .page))
        return TestClient(carrier, carrier.inbox, of: self, answering: reply)
    }

    /// The name of a card's reader.
    static func reader(_ number: Int) -> String { "sim:\(number)" }
}

/// A simulated reader with a name of its own.
struct NamedReader: CardReader {
    private let reader: SimulatedReader
    let spec: String

    init(_ reader: SimulatedReader, number: Int) { (self.reader, spec) = (reader, ServiceBench.reader(number)) }

    var name: String { "SIMULATED reader \(spec)" }
    var kind: ReaderKind { reader.kind }
    func connect() throws(ReaderError) -> any CardChannel { try reader.connect() }
    func waitForCard(isPresent: Bool, timeout: Duration?) throws(ReaderError) {
        try reader.waitForCard(isPresent: isPresent, timeout: timeout)
    }
    func cancelWaiting() { reader.cancelWaiting() }
}

/// Several of them.
struct NamedReaders: ReaderBackend {
    private let all: [NamedReader]

    init(_ readers: [NamedReader]) { all = readers }

    func readers() -> [any CardReader] { all }
    var noReader: any ExplainedError { ReaderError(.noReader, "There is no reader.") }
    func events() -> AsyncStream<ReaderEvent> {
        AsyncStream { continuation in
            for reader in all {
                continuation.yield(.readerAttached(reader))
                continuation.yield(.cardInserted(reader))
            }
        }
    }
}
