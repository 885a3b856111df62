import Foundation
import TestSupport
import Testing

/// `tapkit sim serve --usb`, without a machine behind it.
@Suite struct USBReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func tapkit(_ arguments: String...) async throws -> Subprocess {
        try await Subprocess.run(Subprocess.tapkit, arguments, environment: Workshop.nothing, directory: folder.url)
    }

    @Test func theFirstLineNamesTheReaderAndTheSocketIsMadeAndRemoved() async throws {
        let made = try await tapkit("sim", "new", "card", "--json").succeeded().json()
        let server = try InteractiveProcess(
            Subprocess.tapkit, ["sim", "serve", "card", "--json", "--usb", "acr1252u=reader"],
            environment: Workshop.nothing, directory: folder.url)
        try await server.line()
        let told = try server.json()
        #expect(try told.text("usb") == "acr1252u")
        #expect(try told.text("socket") == "reader")
        #expect(try told.text("ident") == made.text("ident"))
        #expect(FileManager.default.fileExists(atPath: folder.path("reader")))
        try await server.errorText(contains: "The card is on the reader.")
        kill(server.identifier, SIGUSR1)
        try await server.errorText(contains: "Card removed.")
        try await server.stop(signal: SIGINT)
        #expect(!FileManager.default.fileExists(atPath: folder.path("reader")))
    }

    @Test(arguments: [
        ["--usb", "acr1252u=reader", "--vpcd", "127.0.0.1:1"], ["--usb", "acr1252u=reader", "--pn532"],
        ["--usb", "acr1252u"], ["--usb", "acr9999=reader"], ["--usb", "=reader"],
        ["--pn532", "--usb-fault", "stall:1"],
        ["--usb", "pn533=reader", "--usb-fault", "stall"], ["--usb", "pn533=reader", "--usb-fault", "stall:0"],
        ["--usb", "pn533=reader", "--usb-fault", "noise:1"], ["--usb", "pn533=reader", "--pn532-fault", "silence:1"],
    ])
    func optionsThatDoNotGoTogether(options: [String]) async throws {
        try await tapkit("sim", "new", "card").succeeded()
        try await Subprocess.run(
            Subprocess.tapkit, ["sim", "serve", "card", "--json"] + options, environment: Workshop.nothing,
            directory: folder.url, timeout: .seconds(20)
        ).expectFailure(64, "usage")
    }

    @Test func placesThatCannotBe() async throws {
        try await tapkit("sim", "new", "card").succeeded()
        try folder.write("precious", to: "file")
        try await tapkit("sim", "serve", "card", "--json", "--usb", "acr122u=file").expectFailure(73, "sim_file_exists")
        try await tapkit("sim", "serve", "card", "--json", "--usb", "acr122u=").expectFailure(64, "sim_bad_address")
        try await tapkit("sim", "serve", "card", "--json", "--usb", "acr122u=none/reader")
            .expectFailure(73, "sim_file_failed")
    }
}
