import SmartCard
import TapSimulator
import TestSupport
import Testing

/// Simulated readers as a backend.
@Suite struct SimulatedBackendTests {
    @Test func aFileThatIsNotThereIsNoReader() throws {
        let folder = try TemporaryFolder()
        let backend = SimulatedBackend(path: folder.path("none.json"))
        #expect(backend.readers().isEmpty && backend.noReader.code == .simFileNotFound)
    }

    /// First what is there, then what changes.
    @Test func eventsFollowTheCard() async throws {
        let reader = SimulatedReader(card: try SimulatedCard(SimulatedCardOptions(product: .tapsigner)))
        var events = SimulatedBackend([reader]).events().makeAsyncIterator()
        #expect(await events.next() == .readerAttached(spec: reader.spec))
        #expect(await events.next() == .cardInserted(spec: reader.spec))
        reader.pull()
        #expect(await events.next() == .cardRemoved(spec: reader.spec))
        reader.insert()
        #expect(await events.next() == .cardInserted(spec: reader.spec))
    }
}
