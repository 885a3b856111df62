import Foundation
import TestSupport
import Testing

/// The maker's reference client and `tapkit`, side by side on the same simulated card in the real PC/SC service.
@Suite struct ReferenceClientTests {
    @Test func seesTheSameBlankCard() async throws {
        let table = try await ReferenceTable(try await Workshop(isSetUp: false, []))
        let ours = try await table.tapkit(["status"])
        #expect(try ours.text("ident") == table.workshop.ident)
        #expect(try ours.field("set_up", as: Bool.self) == false)

        #expect(try await table.cktap(["list"]).text.contains(table.workshop.ident))
        let status = try await table.cktap(["status"]).text
        #expect(status.contains("-- TAPSIGNER --"))
        #expect(status.contains("Card ident: \(table.workshop.ident)\n"))
        #expect(status.contains("Birth Height: \(try ours.field("birth_height", as: Int.self))\n"))
        #expect(status.contains("No key picked yet"))
        #expect(try await table.cktap(["version"]).lastLine == ours.text("version"))
        #expect(try await table.cktap(["chain"]).lastLine == "XTN")
    }

    @Test func acceptsTheCertificatesUnderOurRootOnly() async throws {
        let table = try await ReferenceTable(try await Workshop(isSetUp: false, []))
        #expect(try await table.cktap(["certs"]).text.contains("Has cert signed by: BOGUS CLI ROOT CERT"))

        let withoutRoot = try await table.sandbox.run(table.program, ["certs"])
        #expect(withoutRoot.status != 0)
        #expect(!withoutRoot.text.contains("Genuine"))
    }

    @Test func setsUpACardThatTapkitGoesOnWith() async throws {
        let table = try await ReferenceTable(try await Workshop(isSetUp: false, []))
        let cvc = Workshop.printedCVC
        #expect(try await table.cktap(["setup", cvc]).text.contains("TAPSIGNER ready for use"))

        let status = try await table.tapkit(["status"])
        #expect(try status.field("set_up", as: Bool.self))
        #expect(try await table.cktap(["path"]).lastLine == status.text("path"))
        try await table.expectSameKeys()

        _ = try await table.cktap(["derive", "m/48h/1h/3h/2h", cvc])
        #expect(try await table.tapkit(["xpub"]).text("path") == "m/48h/1h/3h/2h")
        try await table.expectSameKeys()
    }

    @Test func goesOnWithACardThatTapkitSetUp() async throws {
        let table = try await ReferenceTable(try await Workshop(isSetUp: false, []))
        try await table.setUp()
        try await table.expectSameKeys()

        let derived = try await table.tapkit(["derive", "m/49h/1h/7h"])
        #expect(try await table.cktap(["xpub", Workshop.printedCVC]).lastLine == derived.text("xpub"))
        #expect(try await table.cktap(["path"]).lastLine == "m/49h/1h/7h")
    }

    @Test func savesTheSameBackup() async throws {
        let table = try await ReferenceTable(try await Workshop(isSetUp: false, []))
        try await table.setUp()
        let theirs = table.workshop.folder.path("theirs.aes")
        let ours = table.workshop.folder.path("ours.aes")
        _ = try await table.cktap(["backup", "-o", theirs, Workshop.printedCVC])
        let answer = try await table.tapkit(["backup", "-o", ours])
        #expect(try Data(contentsOf: URL(fileURLWithPath: theirs)) == Data(contentsOf: URL(fileURLWithPath: ours)))
        // One at setup, one by each.
        #expect(try answer.field("backups", as: Int.self) == 3)
        #expect(try await table.cktap(["status"]).text.contains("Number of backups: 3\n"))
    }

    @Test func changesTheCVC() async throws {
        let table = try await ReferenceTable(try await Workshop(isSetUp: false, []))
        try await table.setUp()
        _ = try await table.cktap(["change", Workshop.printedCVC, "87654321"])

        try await table.run(["xpub"]).expectFailure(77, "wrong_cvc")
        _ = try await table.tapkit(["xpub"], cvc: "87654321")

        let next = try table.workshop.folder.write("135791\n", to: "next")
        _ = try await table.tapkit(["change-cvc", "--new-cvc-file", next], cvc: "87654321")
        #expect(try await table.cktap(["check", "135791"]).text.contains("Code is correct."))
    }

    @Test func signsMessagesWithTheKeyThatTapkitNames() async throws {
        let table = try await ReferenceTable(try await Workshop(isSetUp: false, []))
        try await table.setUp()
        let account = try await table.tapkit(["xpub"])
        let message = "The quick brown fox"
        let signature = try await table.cktap(["msg", "-p", "1/6", message, Workshop.printedCVC]).lastLine

        let python = try PythonEnvironment.shared()
        let recovered = try await python.run("recover_message_key.py", ["message": message, "signature": signature])
        let derived = try await python.run("derive_key.py", ["key": try account.text("xpub"), "path": "m/1/6"])
        #expect(try recovered.text("pubkey") == derived.text("pubkey"))
    }
}
