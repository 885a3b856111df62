import Foundation
import TestSupport
import Testing

/// The backup that `tapkit setup` saves, opened without any code of ours.
@Suite struct BackupOpenSSLTests {
    @Test(arguments: [("main", "xprv", "m/84h/0h/0h"), ("test", "tprv", "m/84h/1h/0h")])
    func opensAndMatchesTheXpub(network: String, prefix: String, path: String) async throws {
        let workshop = try await Workshop(isSetUp: false, ["--network", network])
        let sandbox = try await PCSCSandbox(card: workshop.cardFile)
        let backup = workshop.folder.path("card.aes")
        let setup = try await sandbox.tapkit(["setup", "--keep-cvc", "--backup", backup], in: workshop)
            .succeeded().json()

        let opened = try await Subprocess.run(
            "openssl",
            [
                "enc", "-d", "-aes-128-ctr", "-K", try #require(workshop.backupKey), "-iv",
                String(repeating: "0", count: 32), "-in",
                backup,
            ]
        ).succeeded().text
        let lines = opened.split(separator: "\n").map(String.init)
        try #require(lines.count == 2)
        #expect(lines[0].hasPrefix(prefix))
        #expect(lines[1] == path)
        #expect(try setup.text("path") == path)

        let derived = try await PythonEnvironment.shared().run("derive_key.py", ["key": lines[0], "path": path])
        #expect(try derived.text("fingerprint") == setup.text("fingerprint"))
        // The card gives its xpub without the parent's fingerprint, so only the rest of the two texts is the same.
        let fromCard = try await PythonEnvironment.shared()
            .run("derive_key.py", ["key": try setup.text("xpub"), "path": "m"])
        #expect(try derived.text("pubkey") == fromCard.text("pubkey"))
        #expect(try derived.text("chain_code") == fromCard.text("chain_code"))
    }
}
