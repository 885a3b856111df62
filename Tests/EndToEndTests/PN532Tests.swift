import Foundation
import Glibc
import TestSupport
import Testing

/// `tapkit sim serve --pn532`, and `tapkit` itself at the other end, with libnfc's own driver between them.
@Suite struct PN532Tests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var link: String { folder.path("port") }

    private func tapkit(_ arguments: String...) async throws -> Subprocess {
        try await Subprocess.run(
            Subprocess.tapkit, arguments, environment: Workshop.nothing, directory: folder.url)
    }

    /// Makes the card that is served.
    @discardableResult
    private func make(_ name: String = "card") async throws -> [String: Any] {
        try await Subprocess.newCard(name, directory: folder.url)
    }

    private func serve(_ options: String...) throws -> InteractiveProcess {
        try InteractiveProcess(
            Subprocess.tapkit, ["sim", "serve", "card", "--pn532"] + options, environment: Workshop.nothing,
            directory: folder.url)
    }

    @Test func theFirstLineNamesThePort() async throws {
        let made = try await make()
        var server = try serve()
        let line = try await server.line()
        #expect(line.hasPrefix("SIMULATED TAPSIGNER \(try made.text("ident")) "))
        let port = try #require(line.split(separator: " ").last.map { String($0) })
        #expect(port.hasPrefix("/dev/pts/"))
        #expect(FileManager.default.fileExists(atPath: port))
        try await server.stop(signal: SIGINT)
        #expect(!FileManager.default.fileExists(atPath: link))

        server = try serve("--json", "--pn532-link", link)
        try await server.line()
        let told = try server.json()
        #expect(try told.text("pn532") == FileManager.default.destinationOfSymbolicLink(atPath: link))
        #expect(try told.text("reader") == "nfc:pn532_uart:" + told.text("pn532"))
        #expect(try told.text("ident") == made.text("ident"))
        try await server.stop(signal: SIGTERM)
        #expect(throws: (any Error).self) { try FileManager.default.destinationOfSymbolicLink(atPath: link) }
    }

    /// Laying a card down would not help: what else is missing is said as well.
    @Test func whoWaitsIsToldWhatIsMissing() async throws {
        let waiting = try await tapkit("status", "--json", "--reader", "nfc:pn532_uart:\(link)", "--wait=1")
        try waiting.expectFailure(69, "no_reader")
        let lines = waiting.errorText.split(separator: "\n")
        #expect(lines.first == "The port \(link) does not exist.")
        #expect(lines.last == "Put the card on the reader…")
        #expect(lines.count { $0.hasPrefix("The port \(link) does not exist") } == 1)
    }

    @Test func aCardIsUsedPulledAndLaidBack() async throws {
        let made = try await make()
        let server = try serve("--json", "--pn532-link", link)
        try await server.line()
        let status = [
            "status", "--json", "--reader", "nfc:pn532_uart:\(link)", "--root-key", try made.text("root_key"),
        ]
        func look() async throws -> Subprocess {
            try await Subprocess.run(
                Subprocess.tapkit, status, environment: Workshop.nothing, directory: folder.url)
        }
        for _ in 0..<3 { #expect(try await look().succeeded().json().text("ident") == made.text("ident")) }
        kill(server.identifier, SIGUSR1)
        try await server.errorText(contains: "Card removed.")
        #expect(try await look().status == 75)
        let waiting = try InteractiveProcess(
            Subprocess.tapkit, status + ["--wait=60"], environment: Workshop.nothing, directory: folder.url)
        try await waiting.errorText(contains: "Put the card on the reader")
        kill(server.identifier, SIGUSR2)
        #expect(try await waiting.ending() == .exited(0), "\(waiting.text)\(waiting.errorText)")
        #expect(try waiting.json().text("ident") == made.text("ident"))
        try await server.stop()
    }

    @Test func aChipThatMisbehavesIsNoticed() async throws {
        try await make()
        let server = try serve("--json", "--pn532-link", link, "--pn532-fault", "checksum:1")
        try await server.line()
        let reader = "nfc:pn532_uart:\(link)"
        let disturbed = try await tapkit("status", "--json", "--reader", reader)
        #expect(disturbed.status == 74, "\(disturbed.text)")
        // Once only.
        try await tapkit("status", "--json", "--reader", reader).succeeded()
        try await server.stop()
    }

    @Test(arguments: [
        ["--pn532", "--vpcd", "127.0.0.1:1"], ["--pn532", "--socket", "card.sock"], ["--pn532-link", "port"],
        ["--socket", "card.sock", "--pn532-link", "port"], ["--socket", "card.sock", "--pn532-fault", "silence:1"],
        ["--pn532", "--pn532-fault", "silence"], ["--pn532", "--pn532-fault", "silence:0"],
        ["--pn532", "--pn532-fault", "noise:1"], ["--pn532", "--pn532-fault", "silence:1:2"],
    ])
    func optionsThatDoNotGoTogether(options: [String]) async throws {
        try await make()
        try await Subprocess.run(
            Subprocess.tapkit, ["sim", "serve", "card", "--json"] + options, environment: Workshop.nothing,
            directory: folder.url
        ).expectFailure(64, "usage")
    }

    @Test func placesThatCannotBe() async throws {
        try await make()
        try folder.write("precious", to: "port")
        try await tapkit("sim", "serve", "card", "--json", "--pn532", "--pn532-link", link)
            .expectFailure(73, "sim_file_exists")
        #expect(try String(contentsOfFile: link, encoding: .utf8) == "precious")
        try await tapkit("sim", "serve", "card", "--json", "--pn532", "--pn532-link", "a:b")
            .expectFailure(64, "sim_bad_address")
        try await tapkit("sim", "serve", "card", "--json", "--pn532", "--pn532-link", "none/port")
            .expectFailure(73, "sim_file_failed")
    }

    @Test func aLiveServersLinkIsLeftAloneAKilledOneLeavesIt() async throws {
        for name in ["card", "other"] { try await make(name) }
        let first = try serve("--pn532-link", link)
        try await first.line()
        try await tapkit("sim", "serve", "other", "--json", "--pn532", "--pn532-link", link)
            .expectFailure(69, "sim_in_use")
        try await first.stop(signal: SIGKILL)
        #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != nil)
    }

    /// A killed server's number belongs to nobody, or by now to a terminal that no server has.
    @Test(arguments: [false, true])
    func aLinkThatNobodyServesIsReplaced(_ isSomebodysTerminal: Bool) async throws {
        try await make()
        // Held until the end, so that no server can get its number.
        let terminal = try PseudoTerminal()
        let old = isSomebodysTerminal ? terminal.path : "/dev/pts/4000000000"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: old)
        let server = try serve("--pn532-link", link)
        try await server.line()
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) != old)
        try await server.stop(signal: SIGINT)
        #expect(throws: (any Error).self) { try FileManager.default.destinationOfSymbolicLink(atPath: link) }
    }
}
