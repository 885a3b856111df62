import CardReaders
import ExplainedErrors
import SmartCard
import TestSupport
import Testing

/// The service that comes and goes, in a world of the test's own.
@Suite struct PCSCServiceTests {
    @Test func withoutAServiceTheErrorSaysHowToStartIt() async throws {
        try await BlockingThread.run {
            _ = try PrivatePCSCDaemon()
            let reader = PCSCReader(name: "Virtual PCD 00 00")
            for error in [
                #expect(throws: ReaderError.self) { try PCSCBackend().readers() },
                #expect(throws: ReaderError.self) { try reader.connect() },
                #expect(throws: ReaderError.self) { try reader.state() },
                #expect(throws: ReaderError.self) { try reader.waitForCard(isPresent: true, timeout: nil) },
            ] {
                #expect(error?.code == .noService)
                #expect(error?.remedy == "Start the service." && error?.subject == .reader(.service))
            }
        }
    }
}
