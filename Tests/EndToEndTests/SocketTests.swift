import Foundation
import TestSupport
import Testing

/// `tapkit sim serve --socket`: a card for programs that speak to the maker's emulator.
@Suite struct SocketTests {
    private let folder: TemporaryFolder
    private var socket: String { folder.path("card.sock") }

    init() throws { folder = try TemporaryFolder() }

    @discardableResult
    private func make(_ options: String..., at name: String = "card") async throws -> [String: Any] {
        try await make(options, at: name)
    }

    private func make(_ options: [String], at name: String = "card") async throws -> [String: Any] {
        try await Subprocess.newCard(name, ["--cvc", "123456"] + options, directory: folder.url)
    }

    private func serve(_ options: String...) throws -> InteractiveProcess {
        try InteractiveProcess(
            Subprocess.tapkit, ["sim", "serve", "card", "--socket", socket] + options, environment: Workshop.nothing,
            directory: folder.url)
    }

    private func refusal(_ arguments: [String]) async throws -> Subprocess {
        try await Subprocess.run(
            Subprocess.tapkit, ["sim", "serve", "card", "--json"] + arguments, environment: Workshop.nothing,
            directory: folder.url)
    }

    /// What the reference client finds out over the socket.
    private func ask(_ story: String) async throws -> [String: Any] {
        try await PythonEnvironment.shared().run(
            "socket_client.py", ["socket": socket, "story": story, "cvc": "123456"])
    }

    @Test func theReferenceClientUsesASatscard() async throws {
        let made = try await make("--product", "satscard", "--unlucky", "0", "--used-slots", "8")
        let server = try serve()
        #expect(try await server.line().hasPrefix("SIMULATED SATSCARD \(try made.text("ident")) at the socket "))
        let told = try await ask("satscard")
        #expect(try told.text("ident") == made.text("ident"))
        let shown = try await Subprocess.run(
            Subprocess.tapkit, ["sim", "show", "card", "--json"], environment: Workshop.nothing, directory: folder.url
        ).succeeded().json()
        let slots = try #require(shown["slots"] as? [[String: Any]])
        #expect(told["addresses"] as? [String] == slots.suffix(2).compactMap { $0["address"] as? String })
        #expect(told["usage"] as? [String] == Array(repeating: "UNSEALED", count: 10))
        #expect(slots.allSatisfy { $0["state"] as? String == "unsealed" })
        #expect(try told.text("root") == made.text("root_key"))
        try await server.stop(signal: SIGINT)
        #expect(!FileManager.default.fileExists(atPath: socket))
    }

    @Test(arguments: [["tapsigner"], ["satschip"], ["tapsigner", "--applet", "0.9.0", "--unlucky", "20"]])
    func theReferenceClientUsesASigner(_ options: [String]) async throws {
        let made = try await make(["--product"] + options)
        let server = try serve("--json")
        try await server.line { $0.contains("socket") }
        #expect(try server.json()["socket"] as? String == socket)
        let told = try await ask("signer")
        #expect(try told.text("ident") == made.text("ident"))
        #expect(try told.text("path") == "m/49h/1h/7h")
        #expect(told["signed"] as? Bool == true)
        #expect(try told.text("root") == made.text("root_key"))
        try await server.stop(signal: SIGTERM)
        let status = try await Subprocess.run(
            Subprocess.tapkit,
            ["status", "--json", "--reader", "sim:card", "--root-key", try made.text("root_key")],
            environment: Workshop.nothing, directory: folder.url
        ).succeeded().json()
        #expect(try status.text("path") == "m/49h/1h/7h")
    }

    @Test func placesThatCannotBe() async throws {
        try await make()
        try await refusal([]).expectFailure(64, "usage")
        try await refusal(["--socket", socket, "--vpcd", "127.0.0.1:1"]).expectFailure(64, "usage")
        try await refusal(["--socket", folder.path(String(repeating: "x", count: 108))])
            .expectFailure(64, "sim_bad_address")
        try await refusal(["--socket", "none/card.sock"]).expectFailure(73, "sim_file_failed")
        try folder.write("precious", to: "card.sock")
        try await refusal(["--socket", socket]).expectFailure(73, "sim_file_exists")
        #expect(try String(contentsOfFile: socket, encoding: .utf8) == "precious")
    }

    @Test func aKilledServersSocketIsReplacedALiveOnesIsNot() async throws {
        try await make()
        let first = try serve()
        try await first.line()
        // Another card for the same place.
        try await make(at: "other")
        try await Subprocess.run(
            Subprocess.tapkit, ["sim", "serve", "other", "--json", "--socket", socket], environment: Workshop.nothing,
            directory: folder.url
        ).expectFailure(69, "sim_in_use")
        try await first.stop(signal: SIGKILL)
        #expect(FileManager.default.fileExists(atPath: socket))
        let second = try serve()
        #expect(try await second.line().contains(socket))
        try await second.stop(signal: SIGINT)
        #expect(!FileManager.default.fileExists(atPath: socket))
    }
}
