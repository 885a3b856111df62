import ByteCodec
import Foundation
import TestSupport
import Testing

/// `tapkit address --qr`, read by another project's reader.
@Suite struct AddressCodeTests {
    /// What the judge reads, and what it has to be: the BIP-21 URI, in capitals so that the code is small.
    private func expectCode(_ request: [String: Any], of workshop: Workshop) async throws {
        let uri = try await workshop.tapkit("address", "--json").succeeded().json().text("uri")
        let answer = try await PythonEnvironment.shared().run("read_qr.py", request)
        let codes: [[String: String]] = try answer.field("codes")
        #expect(codes.compactMap { $0["text"] } == [uri.uppercased()])
    }

    @Test(arguments: ["main", "test"]) func onATerminalOf80Columns(_ network: String) async throws {
        let workshop = try await Workshop.satscard("--network", network)
        let terminal = try Terminal(workshop, ["address", "--qr"], columns: 80, showsOutput: true)
        #expect(try await terminal.ending() == .exited(0))
        let screen = terminal.rest()
        #expect(screen.contains(try await workshop.tapkit("address").text.dropLast()))
        try await expectCode(["rows": try Self.rows(on: screen)], of: workshop)
    }

    /// Two modules of margin are enough for readers.
    @Test func onATerminalWithRoomForLittleMargin() async throws {
        let workshop = try await Workshop.satscard()
        let terminal = try Terminal(workshop, ["address", "--qr"], columns: 34, showsOutput: true)
        #expect(try await terminal.ending() == .exited(0))
        let screen = terminal.rest()
        let rows = try Self.rows(on: screen)
        #expect(rows.allSatisfy { $0.count == 33 })
        try await expectCode(["rows": rows], of: workshop)
    }

    /// A code with broken lines helps nobody: the address is there, and how to get a code.
    @Test func onATerminalThatIsTooNarrow() async throws {
        let workshop = try await Workshop.satscard()
        let terminal = try Terminal(workshop, ["address", "--qr"], columns: 25, showsOutput: true)
        let screen = try await terminal.shows("FILE.svg.")
        let words = screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("needs 33 columns, but this terminal has 25."))
        #expect(words.contains("--qr FILE.png or FILE.svg."))
        #expect(screen.contains(try await workshop.tapkit("address").text.dropLast()))
        #expect(!screen.contains("█") && !screen.contains("▀"))
        #expect(try await terminal.ending() == .exited(0))
    }

    /// Without a terminal in plain blocks; beside JSON on standard error.
    @Test func withoutATerminal() async throws {
        let workshop = try await Workshop.satscard()
        let plain = try await workshop.tapkit("address", "--qr").succeeded()
        try await expectCode(["rows": try Self.rows(on: plain.text)], of: workshop)
        #expect(!plain.text.contains("\u{1B}"))
        let document = try await workshop.tapkit("address", "--json", "--qr").succeeded()
        try document.json().expectKeys("address slot state verified seal_verified uri ident warnings")
        try await expectCode(["rows": try Self.rows(on: document.errorText)], of: workshop)
    }

    @Test func asAFile() async throws {
        let workshop = try await Workshop.satscard()
        let png = try await workshop.tapkit("address", "--json", "--qr", "out.png").succeeded().json()
        png.expectKeys("address slot state verified seal_verified uri qr_file ident warnings")
        #expect(try png.text("qr_file") == "out.png")
        try await expectCode(["png": Hex.encode(try workshop.bytes("out.png"))], of: workshop)
        let svg = try await workshop.tapkit("address", "--qr", "out.svg").succeeded()
        #expect(svg.text == (try png.text("address")) + "\n" && svg.errorText.lowercased().contains("saved to out.svg"))
        try await expectCode(["svg": String(decoding: try workshop.bytes("out.svg"), as: UTF8.self)], of: workshop)
    }

    /// A code is an invitation to pay, which an opened slot does not get; and no file is left that looks like one.
    @Test func onlyWhatMayBePaidTo() async throws {
        let workshop = try await Workshop.satscard("--used-slots", "1", "--blank")
        for target in ["--qr", "--qr=out.png"] {
            try await workshop.tapkit("address", "--slot", "1", target, "--json").expectFailure(65, "slot_opened")
            try await workshop.tapkit("address", target, "--json").expectFailure(65, "slot_unused")
        }
        try await workshop.tapkit("address", "--qr=out.jpg", "--json").expectFailure(64, "usage")
        try await workshop.tapkit("address", "--qr=no/out.png", "--json").expectFailure(73, "cannot_write")
        #expect(try workshop.files() == ["card.json", "cvc"])
    }

    /// The modules as texts of 0 and 1, from the lines that have nothing but half blocks between colours.
    private static func rows(on screen: String) throws -> [String] {
        var rows: [String] = []
        for line in screen.replacing("\r\n", with: "\n").split(separator: "\n") {
            let blocks = String(line).replacing("\u{1B}[38;5;16;48;5;231m", with: "").replacing("\u{1B}[0m", with: "")
            guard blocks.count > 20, Set(" ▀▄█").isSuperset(of: blocks) else { continue }
            rows.append(String(blocks.map { "▀█".contains($0) ? "1" : "0" }))
            rows.append(String(blocks.map { "▄█".contains($0) ? "1" : "0" }))
        }
        try #require(rows.count > 20, "no code in: \(screen)")
        return rows
    }
}
