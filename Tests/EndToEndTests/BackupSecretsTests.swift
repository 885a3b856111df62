import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// A backup's keys go where they were asked to go, and nowhere else.
@Suite struct BackupSecretsTests {
    /// In no usual form: not in an answer, nor among people's text, the trace, or files.
    @Test(arguments: [[], ["--json"]]) func noKeyIsSaidOrWritten(_ form: [String]) async throws {
        let workshop = try await Workshop()
        let key = try workshop.writeBackupKey()
        try await workshop.writePSBT(inputs: 2)
        let master = try await workshop.wallet().master
        var secrets = [key, master.text, Data(try Hex.decode(key)).base64EncodedString()]
        var keys = [master]
        let account = try master.descendant(try DerivationPath(parsing: "m/84h/1h/0h"))
        keys += [account] + (try ["0", "0/0", "0/1"].map { try account.descendant(DerivationPath(parsing: $0)) })
        for key in keys {
            secrets.append(key.text)
            key.privateKey.secret.withBytes {
                secrets += [Hex.encode(Array($0)), Data($0).base64EncodedString()]
            }
        }
        try workshop.folder.write(String(repeating: "1", count: 32), to: "wrong")
        let (good, bad) = (["--key-file", "key"], ["--key-file", "wrong"])
        var said = ""
        for arguments in [
            ["backup", "verify", "backup.aes"] + good, ["backup", "verify", "backup.aes"] + bad,
            ["recover", "sign", "tx.psbt", "--backup", "backup.aes", "--yes", "--network", "main"] + good,
            ["recover", "sign", "tx.psbt", "--backup", "backup.aes", "--yes", "--extract"] + good,
        ] {
            for detail in [[], ["-v"]] {
                let run = try await workshop.tapkit(arguments + form + detail)
                #expect(run.status == (arguments.contains("wrong") || arguments.contains("main") ? 65 : 0))
                said += run.text + run.errorText
            }
        }
        for file in try FileManager.default.contentsOfDirectory(atPath: workshop.folder.url.path)
        where !["card.json", "key"].contains(file) {
            said += try #require(String(data: Data(try workshop.bytes(file)), encoding: .isoLatin1))
        }
        let isTraced = said.contains("Fee:") && said.contains("  | < xpub")
        #expect(isTraced, "nothing was traced")
        said = said.lowercased()
        // Not the text itself: a failure must not print it.
        let told = secrets.indices.filter { said.contains(secrets[$0].lowercased()) }
        #expect(told.isEmpty)
    }

    /// With no usable store, nothing is said to be stored.
    @Test func withoutAStoreNothingIsSaidToBeStored() async throws {
        let workshop = try await Workshop()
        try workshop.writeBackupKey()
        try await workshop.writePSBT()
        let arguments = ["recover", "sign", "tx.psbt", "--backup", "backup.aes", "--key-file", "key", "--yes"]
        let rescued = try await workshop.tapkit(arguments + ["--data-dir", "/proc/none"]).succeeded().errorText
        #expect(rescued.contains("The transaction is not stored.") && rescued.contains("Complete: transaction "))
        #expect(!rescued.contains("Next: tapkit tx broadcast"))
        let stored = try await workshop.tapkit(arguments + ["-o", "again.psbt"]).succeeded().errorText
        #expect(stored.contains("Stored. Next: tapkit tx broadcast "))
    }

    /// While it waits for an answer, `tapkit` shows nothing of the key to others on the machine.
    @Test func noSecretIsAnArgument() async throws {
        let workshop = try await Workshop()
        let key = try workshop.writeBackupKey()
        let xprv = try await workshop.wallet().master.text
        let terminal = try Terminal(workshop, "backup", "show", "backup.aes")
        try await terminal.shows("[y/N]")
        terminal.type("y\n")
        try await terminal.shows("Backup key")
        terminal.type(key + "\n")
        try await terminal.shows("Type SHOW")
        var found = 0
        for process in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int(process) != nil {
            for file in ["cmdline", "environ"] {
                guard let content = FileManager.default.contents(atPath: "/proc/\(process)/\(file)") else { continue }
                if content.range(of: Data(workshop.cardFile.utf8)) != nil { found += 1 }
                for secret in [key, xprv] { #expect(content.range(of: Data(secret.utf8)) == nil, "\(process) \(file)") }
            }
        }
        #expect(found > 0, "the program was not among the processes")
        terminal.type("n\n")
        #expect(try await terminal.ending() == .exited(130))
    }
}
