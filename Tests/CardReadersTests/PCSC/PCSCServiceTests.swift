import ExplainedErrors
import Glibc
import SmartCard
import TestSupport
import Testing

@testable import CardReaders

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

    /// A service that is stopped accepts whoever comes, and never answers.
    @Test func aServiceThatHangsIsGivenUp() async throws {
        try await BlockingThread.run {
            let daemon = try PrivatePCSCDaemon()
            try daemon.start()
            let process = try #require(daemon.identifier)
            let context = try PCSCContext(within: .seconds(1))
            #expect(try !context.readerNames().isEmpty)
            kill(process, SIGSTOP)
            for error in [
                #expect(throws: ReaderError.self) { try context.readerNames() },
                // Nothing more is asked behind it.
                #expect(throws: ReaderError.self) { _ = try PCSCContext(within: .seconds(1)) },
            ] {
                #expect(error?.code == .noService && error?.subject == .reader(.silentService))
                #expect(error?.message == "The PC/SC service (pcscd) has not answered for 1 s.")
            }
            kill(process, SIGCONT)
            while PCSCCall.isStuck(at: "", after: .zero) { usleep(1_000) }
            #expect(try !PCSCBackend.listedReaders().isEmpty)
        }
    }
}
