import Foundation
import TestSupport
import Testing

/// The maker's reference client and `tapkit`, side by side on the same SATSCHIP in the real PC/SC service.
@Suite struct SatschipReferenceTests {
    private static let (cvc, newCVC) = (Workshop.printedCVC, "87654321")

    private func table(_ version: String) async throws -> ReferenceTable {
        try await ReferenceTable(
            try await Workshop(isSetUp: false, ["--product", "satschip", "--applet", version]))
    }

    @Test(arguments: ["1.0.0", "1.0.3"]) func tapkitGoesOnWithTheirs(_ version: String) async throws {
        let table = try await table(version)
        let message = "The quick brown fox"
        let runs = try await table.session([
            ["status"], ["certs"], ["setup", Self.cvc], ["status"], ["path"], ["xpub", Self.cvc],
            ["xpub", "--master", Self.cvc], ["url"], ["msg", "-p", "1/6", message, Self.cvc],
            ["backup", Self.cvc], ["derive", "m/48h/1h/3h/2h", Self.cvc], ["usage"], ["address"],
        ])
        let status = try await table.tapkit(["status"])
        #expect(try status.text("product") == "satschip" && status["backups"] == nil)
        #expect(try runs[0].succeeded().lines.prefix(2) == ["-- SATSCHIP --", "Card ident: \(status.text("ident"))"])
        #expect(runs[0].lastLine == "No key picked yet")
        #expect(try runs[1].succeeded().lastLine == "Has cert signed by: BOGUS CLI ROOT CERT")
        #expect(try runs[2].succeeded().lastLine == "SATSCHIP ready for use")
        #expect(try runs[3].succeeded().lastLine == "Current derivation: m/84h/0h/0h")
        #expect(try runs[4].succeeded().lastLine == "m/84h/0h/0h")

        let link = try await table.tapkit(["url", "verify", try runs[7].succeeded().lastLine])
        #expect(try link.text("product") == "satschip" && link.text("state") == "sealed")
        #expect(try link.text("ident") == status.text("ident"))
        runs[9].failed(saying: "Not supported on SATSCHIP")
        #expect(try await table.tapkit(["xpub"]).text("xpub") == runs[10].succeeded().lastLine)
        #expect(try await table.tapkit(["xpub"]).text("path") == "m/48h/1h/3h/2h")
        for run in runs[11...12] { run.failed(saying: "No SATSCARD found") }

        let master = try await table.tapkit(["xpub", "--master"])
        #expect(try runs[6].succeeded().lastLine == master.text("xpub"))
        let account = try await table.tapkit(["derive", "m/84h/0h/0h"])
        #expect(try runs[5].succeeded().lastLine == account.text("xpub"))
        let python = try PythonEnvironment.shared()
        let recovered = try await python.run(
            "recover_message_key.py", ["message": message, "signature": try runs[8].succeeded().lastLine])
        let derived = try await python.run("derive_key.py", ["key": try account.text("xpub"), "path": "m/1/6"])
        #expect(try recovered.text("pubkey") == derived.text("pubkey"))
        let ours = try await table.tapkit(["message", "sign", message, "--path", "1/6"])
        for signature in [try ours.text("signature"), runs[8].lastLine] {
            let verdict = try await table.tapkit(["message", "verify", try ours.text("address"), signature, message])
            #expect(try verdict.field("valid", as: Bool.self))
        }
        let again = try await python.run(
            "recover_message_key.py", ["message": message, "signature": try ours.text("signature")])
        #expect(try again.text("pubkey") == derived.text("pubkey"))
    }

    @Test(arguments: ["1.0.0", "1.0.3"]) func theyGoOnWithTapkits(_ version: String) async throws {
        let table = try await table(version)
        let ready = try await table.tapkit(["setup", "--keep-cvc"])
        let master = try await table.tapkit(["xpub", "--master"])
        let runs = try await table.session([
            ["path"], ["xpub", Self.cvc], ["xpub", "--master", Self.cvc], ["check", Self.cvc],
            ["change", Self.cvc, Self.newCVC], ["check", Self.newCVC],
        ])
        #expect(try runs[0].succeeded().lastLine == ready.text("path"))
        #expect(try runs[1].succeeded().lastLine == ready.text("xpub"))
        #expect(try runs[2].succeeded().lastLine == master.text("xpub"))
        for run in [runs[3], runs[5]] { #expect(try run.succeeded().lastLine == "Code is correct.") }
        try runs[4].succeeded()
        // A SATSCHIP's CVC is changed without a backup.
        try await table.run(["xpub"]).expectFailure(77, "wrong_cvc")
        _ = try await table.tapkit(["xpub"], cvc: Self.newCVC)
        let next = try table.workshop.folder.write("135791\n", to: "next")
        _ = try await table.tapkit(["change-cvc", "--new-cvc-file", next], cvc: Self.newCVC)
        #expect(try await table.session([["check", "135791"]])[0].succeeded().lastLine == "Code is correct.")
    }
}
