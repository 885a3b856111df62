import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// A slot's private key goes where it was asked to go, and nowhere else.
@Suite struct SlotSecretsTests {
    private static let verbs = [
        ["status"], ["verify"], ["slots"], ["address"], ["url"], ["unseal", "--yes"], ["unseal", "--yes"],
        ["slots", "--show-keys", "--yes"], ["address", "--slot", "1"], ["setup"], ["verify"], ["slots"],
    ]

    /// Through PC/SC, traced: no key and no CVC in any usual form, but on standard output of the verbs that show keys.
    @Test(arguments: [[], ["--json"]]) func noKeyIsSaidBesideTheAnswer(_ form: [String]) async throws {
        let workshop = try await Workshop.satscard()
        try await ServedCard.lay(workshop) { card in
            var (errors, answers) = ("", "")
            for verb in Self.verbs {
                let run = try await workshop.tapkit(verb + form + ["--trace"], environment: card.reader).succeeded()
                errors += run.errorText
                if verb != ["unseal", "--yes"], verb != ["slots", "--show-keys", "--yes"] { answers += run.text }
            }
            // Slot 1 was opened on the way, slot 2 set up: with both keys known, both can be looked for.
            try await workshop.tapkit("unseal", "--yes", environment: card.reader).succeeded()
            let listed: [[String: Any]] =
                try await workshop.tapkit(
                    "slots", "--show-keys", "--yes", "--json", environment: card.reader
                ).succeeded().json().field("slots")
            let wifs = try listed.prefix(2).map { try $0.text("wif") }
            // Six digits stand in so much hex by chance now and then: the CVC as such is looked for in words only.
            let words = errors.split(separator: "\n").filter { !$0.hasPrefix("  | ") }
            #expect(words.allSatisfy { !$0.contains(Workshop.satscardCVC) })
            var secrets = [Hex.encode(Array(Workshop.satscardCVC.utf8))] + wifs
            for wif in wifs {
                try WalletImportFormat(parsing: wif).privateKey.secret.withBytes {
                    secrets += [Hex.encode(Array($0)), Data($0).base64EncodedString()]
                }
            }
            for (index, secret) in secrets.enumerated() {
                #expect(!errors.lowercased().contains(secret.lowercased()), "secret \(index) on standard error")
                #expect(!answers.lowercased().contains(secret.lowercased()), "secret \(index) in an answer")
            }
            try Self.expectMasked(errors)
        }
    }

    /// In the traced answers of `unseal` and `dump` both private values are there, and nothing but zeros.
    private static func expectMasked(_ trace: String) throws {
        let lines = trace.split(separator: "\n")
        for command in ["unseal", "dump"] {
            let prefix = "  | < \(command) "
            let answers = lines.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
            let opened = answers.filter { $0.contains(Hex.encode(Array("privkey".utf8))) }
            #expect(!opened.isEmpty, "no answer to \(command) was traced")
            for answer in opened {
                for name in ["privkey", "master_pk"] {
                    let key = Hex.encode([0x60 + UInt8(name.utf8.count)] + Array(name.utf8))
                    #expect(answer.contains(key + "5820" + String(repeating: "00", count: 32)), "\(name) in \(command)")
                }
            }
        }
        for line in lines where line.hasPrefix("  | > ") {
            guard let range = line.range(of: Hex.encode([0x64] + Array("xcvc".utf8))) else { continue }
            #expect(line[range.upperBound...].hasPrefix("46000000000000"), "\(line)")
        }
    }

    /// There is no way to give a CVC where others on this machine could read it.
    @Test func noSecretIsAnArgument() async throws {
        let workshop = try await Workshop.satscard()
        for option in ["--cvc=482913", "--cvc-file=482913"] {
            let run = try await workshop.tapkit(
                ["unseal", "--yes", "--json", option], environment: ["TAPKIT_CVC_FILE": nil])
            #expect(run.status == (option.hasPrefix("--cvc-file") ? 66 : 64), "\(run.text)")
        }
        // While it waits for an answer, `tapkit` and what it may have started show nothing but what was typed.
        let terminal = try Terminal(workshop, "unseal")
        try await terminal.shows("[y/N]")
        terminal.type("y\n")
        try await terminal.shows("Set up slot 2 now")
        let wif = try #require(terminal.output.split(separator: "\n").first { $0.contains("Key (WIF): ") }).suffix(52)
        var found = 0
        for process in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int(process) != nil {
            for file in ["cmdline", "environ"] {
                guard let content = FileManager.default.contents(atPath: "/proc/\(process)/\(file)") else { continue }
                if content.range(of: Data(workshop.cardFile.utf8)) != nil { found += 1 }
                #expect(content.range(of: Data(wif.utf8)) == nil, "\(process) \(file)")
            }
        }
        #expect(found > 0, "the program was not among the processes")
        terminal.type("n\n")
        #expect(try await terminal.ending() == .exited(0))
    }
}
