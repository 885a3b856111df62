import Foundation
import TestSupport
import Testing

/// How `tapkit` ends: with the right status, at once, and with no library taken apart under a thread that is inside it.
@Suite struct ProcessExitTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    /// What writes down how a process ends.
    private func noting(_ others: [String: String?] = [:]) async throws -> [String: String?] {
        try await ProcessFault.noting(endIn: folder.path("end")).merging(others) { $1 }
    }

    /// Expects that the process asked the kernel for its end: what runs at `exit` would run under its other threads.
    private func expectNothingTakenApart(at location: SourceLocation = #_sourceLocation) throws {
        let end = try String(contentsOfFile: folder.path("end"), encoding: .utf8)
        #expect(end == "_exit\n", sourceLocation: location)
    }

    private static let right: [(words: String, status: Int32)] = [
        ("--help", 0), ("setup --help", 0), ("help errors", 0), ("--version", 0), ("status", 0), ("status --json", 0),
        ("--generate-completion-script bash", 0), ("wallet list", 0), ("sim show card.json", 0), ("frob", 64),
        ("status --frob", 64), ("slots", 65), ("sign none.psbt", 66), ("xpub --cvc-file none", 66),
        ("hwi enumerate", 0), ("hwi --help", 0), ("hwi --version", 0), ("hwi frob", 2),
    ]

    @Test(arguments: right) func everyAnswerEndsTheSameWay(_ words: String, _ status: Int32) async throws {
        let workshop = try await Workshop(isSetUp: false)
        let arguments = words.split(separator: " ").map(String.init)
        let run = try await workshop.tapkit(arguments, environment: try await noting())
        #expect(run.ending == .exited(status), "\(run.text)\(run.errorText)")
        try expectNothingTakenApart()
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func everyInterruptionEndsTheSameWay(_ signal: Int32) async throws {
        let workshop = try await Workshop(isSetUp: false)
        let waiting = try workshop.start(
            ["status", "--card", "NOBODY", "--wait"], environment: try await noting())
        try await waiting.errorText(contains: "Put the card on the reader")
        #expect(try await waiting.stop(signal: signal) == .exited(130))
        try expectNothingTakenApart()
    }

    /// A service that never answers keeps threads inside the library, whatever ends the process.
    @Test func aThreadInsidePCSCHoldsNothingUp() async throws {
        let workshop = try await Workshop(isSetUp: false)
        func silent(_ service: SilentService) async throws -> [String: String?] {
            try await noting(["TAPKIT_READER": "pcsc"].merging(service.environment) { $1 })
        }
        let deaf = try SilentService()
        defer { withExtendedLifetime(deaf) {} }
        let doctor = try await workshop.tapkit("doctor", environment: try await silent(deaf))
        #expect(doctor.ending == .exited(69), "\(doctor.text)\(doctor.errorText)")
        try expectNothingTakenApart()

        // Here the verb itself waits for the library, which does not come back: only a second Ctrl-C helps.
        for options in [[], ["--json"]] {
            let service = try SilentService()
            defer { withExtendedLifetime(service) {} }
            let stuck = try workshop.start(["status"] + options, environment: try await silent(service))
            try await service.waitForClient()
            kill(stuck.identifier, SIGINT)
            try await stuck.errorText(contains: "Press Ctrl-C again to stop at once")
            #expect(try await stuck.stop(signal: SIGINT) == .exited(130))
            try expectNothingTakenApart()
            if options.isEmpty {
                #expect(stuck.errorText.contains("tapkit: Interrupted, without waiting"))
            } else {
                #expect(try stuck.json().field("error", as: [String: Any].self).text("code") == "interrupted")
            }
        }
    }

    /// A pipe with a name that nobody writes to is not waited for when the user has had enough.
    @Test func aPipeThatNobodyWritesToHoldsNothingUp() async throws {
        let workshop = try await Workshop(isSetUp: false)
        #expect(mkfifo(workshop.folder.path("pipe"), 0o600) == 0)
        for words in [["review", "pipe", "--json"], ["xpub", "--cvc-file", "pipe", "--json"]] {
            let reading = try workshop.start(words, environment: try await noting())
            try await reading.opens("pipe")
            #expect(try await reading.stop(signal: SIGINT) == .exited(130))
            #expect(!reading.errorText.contains("Stopping as soon as"))
            #expect(try reading.json().field("error", as: [String: Any].self).text("code") == "interrupted")
            try expectNothingTakenApart()
        }
        // Whoever writes later is read.
        let reading = try workshop.start(["review", "pipe", "--json"], environment: try await noting())
        try await reading.opens("pipe")
        try workshop.folder.write("not a PSBT", to: "text")
        try await Subprocess.run("sh", ["-c", "cat text >pipe"], directory: workshop.folder.url).succeeded()
        #expect(try await reading.ending() == .exited(65))
    }

    /// A request that nobody answers is under way on a thread inside libcurl.
    @Test(arguments: ["esplora:http://127.0.0.1:%d", "electrum:127.0.0.1:%d:t", "core:http://a:b@127.0.0.1:%d"])
    func aThreadInsideCurlHoldsNothingUp(_ server: String) async throws {
        let (workshop, silent) = (try await Workshop(), try LoopbackListener())
        try await workshop.tapkit("wallet", "add", "w").succeeded()
        let sync = try workshop.start(
            ["wallet", "sync", "w", "--json", "--chain", String(format: server, Int(silent.port))],
            environment: try await noting())
        let connection = try #require(await BlockingThread.run { silent.accept() })
        _ = try await BlockingThread.run { try connection.read() }
        #expect(try await sync.stop(signal: SIGINT) == .exited(130))
        #expect(!sync.errorText.contains("Stopping as soon as"))
        #expect(try (try sync.json().field("error", as: [String: Any].self)).text("code") == "interrupted")
        try expectNothingTakenApart()
    }

    /// It closes the line to the card on a thread of its own while the process ends; `.ci/soak` has thousands of such runs.
    /// Several at once hold each other up there.
    @Test func aUsedUpCardIsRefusedAsOftenAsItIsAsked() async throws {
        let workshop = try await Workshop.satscard("--used-slots", "10")
        try await ServedCard.lay(workshop) { card in
            for _ in 0..<15 {
                try await withThrowingTaskGroup(of: Subprocess.self) { group in
                    for words in [["setup"], ["setup", "--wait"], ["setup"], ["setup", "--wait"]] {
                        group.addTask { try await workshop.tapkit(words, environment: card.reader) }
                    }
                    for try await run in group {
                        #expect(run.ending == .exited(65), "\(run.text)\(run.errorText)")
                    }
                }
            }
        }
    }

    /// The service resets a card whose line breaks off, and whoever shares it loses it in the middle of a step.
    @Test func theEndLeavesTheCardToOthers() async throws {
        let workshop = try await Workshop.satscard("--used-slots", "10")
        try await ServedCard.lay(workshop) { card in
            let reader = String(card.spec.dropFirst("pcsc:".count))
            let other = try await BlockingThread.run { try HeldCard(reader: reader) }
            for arguments in [["setup"], ["slots"], ["status", "--json"], ["readers"], ["setup", "--wait"]] {
                _ = try await workshop.tapkit(arguments, environment: card.reader)
                #expect(await BlockingThread.run { !other.isDisturbed }, "\(arguments)")
            }
        }
    }
}

extension InteractiveProcess {
    /// Waits until the program has a file of this name open.
    fileprivate func opens(_ name: String, at location: SourceLocation = #_sourceLocation) async throws {
        let folder = "/proc/\(identifier)/fd/"
        for _ in 0..<6_000 {
            let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let files = descriptors.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0)
            }
            if files.contains(where: { $0.hasSuffix("/" + name) }) { return }
            try #require(isRunning, "\(text)\(errorText)", sourceLocation: location)
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("Nobody opens \(name).", sourceLocation: location)
    }
}
