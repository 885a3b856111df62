import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// Results as QR codes, read by another project's reader and put together by a judge that knows the specifications only.
@Suite(.fewAtATime) struct QRTransferTests {
    private struct Joined {
        let kind: String
        let type: String
        let bytes: [UInt8]
        let parts: Int
    }

    private func joined(_ request: [String: Any]) async throws -> Joined {
        let answer = try await PythonEnvironment.shared().run("join_qr.py", request)
        return Joined(
            kind: try answer.field("kind"), type: try answer.field("type"),
            bytes: try Hex.decode(try answer.field("hex") as String), parts: try answer.field("parts"))
    }

    /// Without a terminal each code is printed once: one, or several.
    @Test(arguments: [1, 12], ["bbqr", "ur"])
    func withoutATerminalEachCodeIsPrintedOnce(_ inputs: Int, _ format: String) async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT(inputs: inputs)
        let run = try await workshop.tapkit("sign", "tx.psbt", "--yes", "--qr", "--qr-format", format).succeeded()
        let shown = try await joined(["frames": Self.frames(in: run.text)])
        #expect(shown.bytes == (try workshop.psbt("tx.signed.psbt").encoded(as: .binary)))
        #expect(shown.kind == format && shown.type == (format == "ur" ? "crypto-psbt" : "P"))
        #expect(shown.parts > 1 || inputs == 1)
        #expect(!run.text.contains("\u{1B}"))
    }

    /// A locale without blocks gets words in their place, and the result all the same.
    @Test func nothingIsDrawnInASCII() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT(inputs: 12)
        let run = try await workshop.tapkit("sign", "tx.psbt", "--yes", "--qr", environment: ["LC_ALL": "C"])
            .succeeded()
        #expect(run.text.contains("A QR code cannot be drawn") && run.text.contains("--qr FILE.png or FILE.svg."))
        #expect(run.output.allSatisfy { $0 < 0x80 })
        try await workshop.psbt("tx.signed.psbt").expectVerified()
    }

    /// Standard output has the answer alone: JSON, the PSBT, or the transaction.
    @Test func codesStayOutOfTheAnswer() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        let json = try await workshop.tapkit("sign", "tx.psbt", "--yes", "--json", "--qr").succeeded()
        let signed = try PSBT(fileContent: Array(try json.json().text("psbt").utf8)).encoded(as: .binary)
        #expect(try await joined(["frames": Self.frames(in: json.errorText)]).bytes == signed)

        let piped = try await workshop.tapkit("sign", "tx.psbt", "-o", "-", "--yes", "--qr").succeeded()
        #expect(try PSBT(fileContent: Array(piped.output)).encoded(as: .binary) == signed)
        #expect(try await joined(["frames": Self.frames(in: piped.errorText)]).bytes == signed)

        let extracted = try await workshop.tapkit("sign", "tx.psbt", "--yes", "--extract", "--qr").succeeded()
        let transaction = try await joined(["frames": Self.frames(in: extracted.errorText)])
        #expect(Hex.encode(transaction.bytes) + "\n" == extracted.text)
        try await NodeJury.expectTaken([Transaction(serialized: transaction.bytes)])
        #expect(transaction.type == "T")
    }

    @Test func asFiles() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT(to: "small.psbt")
        let small = try await workshop.tapkit("sign", "small.psbt", "--yes", "--json", "--qr", "small.png").succeeded()
        #expect(try small.json()["qr_files"] as? [String] == ["small.png"])
        try await workshop.writePSBT(inputs: 12)
        let large = try await workshop.tapkit("sign", "tx.psbt", "--yes", "--json", "--qr", "out.png").succeeded()
        let files = try #require(try large.json()["qr_files"] as? [String])
        #expect(files.count > 1 && files.first == "out-001.png")
        for (names, signed) in [(["small.png"], "small.signed.psbt"), (files, "tx.signed.psbt")] {
            let images = try names.map { Hex.encode(try workshop.bytes($0)) }
            #expect(
                try await joined(["pngs": images]).bytes == (try workshop.psbt(signed).encoded(as: .binary)))
        }
        #expect(!(try workshop.files()).contains("out.png"))
    }

    /// On a terminal the codes follow each other until a key; the screen and the keyboard are as before then.
    @Test(arguments: ["q", "\u{3}"], ["bbqr", "ur"])
    func onATerminalTheyMoveUntilAKey(_ key: String, _ format: String) async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT(inputs: 3)
        let terminal = try Terminal(
            workshop, ["sign", "tx.psbt", "--yes", "--qr", "--qr-format", format], columns: 80, showsOutput: true)
        var screen = try await terminal.shows("press any key to stop")
        #expect(!terminal.echoes)
        let count = try #require(
            screen.firstMatch(of: /(?:of|any) ([0-9]+)(?:;| or)/).flatMap { Int($0.output.1) })
        for _ in 0..<count { screen += try await terminal.shows("press any key to stop") }
        terminal.type(key)
        #expect(try await terminal.ending() == .exited(0))
        screen += terminal.rest()
        #expect(terminal.echoes)
        #expect(screen.contains("\u{1B}[?1049h\u{1B}[?25l") && screen.contains("\u{1B}[?25h\u{1B}[?1049l"))
        let shown = try await joined(["frames": Self.frames(in: screen)])
        #expect(shown.bytes == (try workshop.psbt("tx.signed.psbt").encoded(as: .binary)))
        #expect(shown.kind == format && shown.parts == count && count > 1)
    }

    /// The result is there all the same.
    @Test func aWindowThatIsTooSmallIsSaidToBe() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        let terminal = try Terminal(
            workshop, ["sign", "tx.psbt", "--yes", "--qr"], columns: 36, showsOutput: true)
        let screen = try await terminal.shows("--qr FILE.png or FILE.svg.")
        #expect(screen.contains("need 37 columns and 20 lines; this terminal has 36 and 24."))
        #expect(try await terminal.ending() == .exited(0))
        try await workshop.psbt("tx.signed.psbt").expectVerified()
    }

    @Test func otherVerbsHaveThemToo() async throws {
        let workshop = try await Workshop()
        let unsigned = try await workshop.writePSBT(inputs: 2)
        try await workshop.tapkit("tx", "import", "tx.psbt").succeeded()
        let id = unsigned.unsignedTransaction.id.description
        let exported = try await workshop.tapkit("tx", "export", id, "--qr").succeeded()
        #expect(
            try await joined(["frames": Self.frames(in: exported.errorText)]).bytes
                == (try PSBT(fileContent: Array(exported.output)).encoded(as: .binary)))
        let signed = try await workshop.tapkit("tx", "sign", id, "--yes", "--qr").succeeded()
        let shown = try PSBT(fileContent: try await joined(["frames": Self.frames(in: signed.text)]).bytes)
        #expect(shown.unsignedTransaction == unsigned.unsignedTransaction)
        try await shown.expectVerified()
    }

    /// With JSON, there is one answer, with or without a picture of it.
    @Test func whatIsTooLongForCodesIsAnsweredOnce() async throws {
        let workshop = try await Workshop()
        var transaction = try SampleWallet(seed: 1).psbt().unsignedTransaction
        transaction.outputs.append(
            TransactionOutput(value: 0, scriptPubKey: Script([0x6A] + [UInt8](repeating: 0x61, count: 900_000))))
        let psbt = try PSBT(unsignedTransaction: transaction)
        try Data(psbt.serialized()).write(to: workshop.folder.url.appendingPathComponent("tx.psbt"))
        try await workshop.tapkit("tx", "import", "tx.psbt", "--json").succeeded()
        let export = ["tx", "export", transaction.id.description, "--qr", "--qr-format", "ur"]
        let run = try await workshop.tapkit(export + ["--json"]).succeeded()
        #expect(try PSBT(fileContent: Array(run.json().text("psbt").utf8)).serialized() == psbt.serialized())
        #expect(run.errorText.contains("bytes do not fit into 1295 QR codes"), "\(run.errorText)")
        #expect(try await workshop.tapkit(export).status == 65)
    }

    /// What fits into one code is shown as it is, so that any program can read it; what does not is divided.
    @Test(arguments: [
        "descriptors", "core", "sparrow", "electrum", "coldcard", "specter", "slip132", "cosigner", "bsms",
    ])
    func everyExport(_ format: String) async throws {
        let workshop = try await Workshop()
        let run = try await workshop.tapkit("export", format, "--qr").succeeded()
        let shown = try await joined(["frames": Self.frames(in: run.errorText)])
        #expect((shown.kind == "plain") == (shown.parts == 1), "\(shown.kind), \(shown.parts)")
        let end = format == "bsms" ? "" : "\n"
        #expect(String(decoding: shown.bytes, as: UTF8.self) + end == run.text)
    }

    /// Said before the card signs.
    @Test func whatCannotBeWrittenIsSaidFirst() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        for (arguments, status, code) in [
            (["--qr", "out.jpg"], 64, "usage"), (["--qr", "no/out.png"], 73, "cannot_write"),
            (["--qr", "--qr-format", "gif"], 64, "usage"),
        ] as [([String], Int32, String)] {
            try await workshop.tapkit(["sign", "tx.psbt", "--yes", "--json"] + arguments).expectFailure(status, code)
        }
        #expect(!(try workshop.files()).contains("tx.signed.psbt"))
    }

    /// The codes: lines of nothing but half blocks between colours, and something else between two codes. As texts of 0
    /// and 1; the same code may come twice.
    private static func frames(in screen: String) throws -> [[String]] {
        var frames: [[String]] = [[]]
        let lines = screen.replacing("\r\n", with: "\n").replacing("\u{1B}[H", with: "\n\n").split(
            separator: "\n", omittingEmptySubsequences: false)
        for line in lines {
            let blocks = String(line).replacing("\u{1B}[38;5;16;48;5;231m", with: "").replacing("\u{1B}[0m", with: "")
            guard blocks.count > 20, Set(" ▀▄█").isSuperset(of: blocks) else {
                frames.append([])
                continue
            }
            frames[frames.count - 1].append(String(blocks.map { "▀█".contains($0) ? "1" : "0" }))
            frames[frames.count - 1].append(String(blocks.map { "▄█".contains($0) ? "1" : "0" }))
        }
        frames.removeAll { $0.count < 20 }
        try #require(!frames.isEmpty, "no code in: \(screen)")
        return frames
    }
}
