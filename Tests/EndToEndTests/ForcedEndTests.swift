import Foundation
import TestSupport
import Testing

/// What ends a run by force: a second Ctrl-C, or time. The exit status is that of an interruption, and whoever waits for
/// the answer is told, even if it cannot be written.
@Suite struct ForcedEndTests {
    /// Keeps the verb inside the library.
    private let service: SilentService
    private let workshop: Workshop

    init() async throws {
        (service, workshop) = (try SilentService(), try await Workshop(isSetUp: false))
    }

    /// Starts a verb that never comes back, after a shell has done something to its streams, and waits until it is
    /// stuck.
    private func startStuck(after preparation: String) async throws -> InteractiveProcess {
        let stuck = try InteractiveProcess(
            "sh", ["-c", preparation + "\nexec \"$@\"", "sh", Subprocess.tapkit, "status", "--json"],
            environment: workshop.environment.merging(["TAPKIT_READER": "pcsc"]) { $1 }
                .merging(service.environment) { $1 },
            directory: workshop.folder.url)
        try await service.waitForClient()
        return stuck
    }

    /// A pipe as standard error that is full, and whose reader does not read.
    private static let fullPipe = """
        mkfifo pipe
        exec 2<>pipe
        dd if=/dev/zero of=pipe bs=4096 count=1000 oflag=nonblock conv=notrunc 2>/dev/null
        """

    /// After one Ctrl-C, a call that never comes back is given up by itself, whether or not anyone reads what people
    /// are told meanwhile.
    @Test(arguments: ["", fullPipe]) func timeEndsIt(_ preparation: String) async throws {
        let stuck = try await startStuck(after: preparation)
        #expect(try await stuck.stop(signal: SIGINT) == .exited(130), "\(stuck.errorText)")
        let document = try stuck.json()
        let error: [String: Any] = try document.field("error")
        #expect(document.count == 1)
        #expect(try error.text("code") == "interrupted")
        #expect(try error.text("message") == "Interrupted, without waiting for the end of the running step.")
        #expect(try error.text("hint").contains("tapkit status"))
        if preparation.isEmpty {
            #expect(stuck.errorText.contains("Stopping as soon as the running step ends."))
            #expect(!stuck.errorText.contains("tapkit: Interrupted"))
        }
    }

    /// A full disk, no standard output, a pipe whose reader has gone: what programs do not get is told to people.
    @Test(arguments: [
        "exec >/dev/full", "exec >&-", "mkfifo pipe\ncat <pipe &\nexec >pipe\nkill $!\nwait $!",
    ])
    func anAnswerThatIsLostIsTold(_ preparation: String) async throws {
        let stuck = try await startStuck(after: preparation)
        kill(stuck.identifier, SIGINT)
        try await stuck.errorText(contains: "Press Ctrl-C again to stop at once")
        #expect(try await stuck.stop(signal: SIGINT) == .exited(130))
        #expect(stuck.text.isEmpty)
        #expect(stuck.errorText.contains("tapkit: Interrupted, without waiting"), "\(stuck.errorText)")
    }
}
