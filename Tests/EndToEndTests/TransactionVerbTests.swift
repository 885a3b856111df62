import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// `tapkit tx`: what is kept, shown, combined, given out and forgotten.
@Suite struct TransactionVerbTests {
    private let folder: TemporaryFolder
    private let environment: [String: String?]

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        environment = Workshop.nothing.merging(["TAPKIT_DATA_DIR": folder.path("data")]) { $1 }
    }

    private func tx(_ arguments: String..., input: Data = Data()) async throws -> Subprocess {
        let run = try await Subprocess.run(
            Subprocess.tapkit, ["tx"] + arguments, input: input, environment: environment, directory: folder.url)
        return try await Judges.judged(run)
    }

    private func write(_ psbt: PSBT, to name: String, as form: PSBT.FileForm = .binary) throws {
        try Data(psbt.encoded(as: form)).write(to: folder.url.appendingPathComponent(name))
    }

    private func list() async throws -> [[String: Any]] {
        try await tx("list", "--json").succeeded().json().field("transactions")
    }

    /// What the store would lose if it were changed.
    private func exported(_ id: String) async throws -> String {
        try await tx("export", id).succeeded().text
    }

    private func multisig() throws -> (psbt: PSBT, wallets: [SampleWallet]) {
        let wallets = try (1...3).map { try SampleWallet(seed: $0) }
        return (try SampleMultisig(.p2wsh, wallets).psbt(), wallets)
    }

    @Test func whatIsStoredIsShown() async throws {
        let psbt = try SampleWallet(seed: 1).psbt()
        try write(psbt, to: "tx.psbt")
        let id = psbt.unsignedTransaction.id.description
        let imported = try await tx("import", "tx.psbt", "--note", "rent", "--json").succeeded().json()
        #expect(try imported.text("id") == id && imported.field("new"))
        for answer in [imported, try await tx("show", id, "--json").succeeded().json()] {
            #expect(try answer.text("id") == id)
            #expect(try answer.text("state") == "unsigned")
            #expect(try PSBT(fileContent: Array(answer.text("psbt").utf8)).serialized() == psbt.serialized())
            #expect(try answer.field("fee_sat") == 1_000)
            #expect(try answer.field("vsize", as: Int.self) > 100)
            let input = try #require(try answer.field("inputs", as: [[String: Any]].self).first)
            #expect(try input.field("amount_sat") == 100_000)
            #expect(try input.text("outpoint").hasSuffix(":1"))
            #expect(
                try answer.field("outputs", as: [[String: Any]].self).map { try $0.field("amount_sat") } == [
                    50_000, 49_000,
                ])
            #expect(answer["warnings"] is [Any])
            #expect(try answer.text("note") == "rent")
        }
        let entry = try #require(try await list().first)
        entry.expectKeys(
            "id state note amount_sat sent_sat payees fee_sat signed_by can_sign next_signers missing created created_at "
                + "updated updated_at confirmations")
        #expect(try entry.text("id") == id && entry.text("state") == "unsigned")
        #expect(try entry.field("signed_by") == [String]() && entry.field("missing") == 1)
        #expect(try abs(entry.field("created", as: Double.self) - Date().timeIntervalSince1970) < 600)

        let line = try await tx("list").succeeded().text
        let signer = try SampleWallet(seed: 1).fingerprint.description
        for part in [id, "unsigned", "1000 sat", signer, "rent"] { #expect(line.contains(part), "\(line)") }
        #expect(try entry.field("can_sign") == [signer] && entry.text("created_at").hasSuffix("Z"))
        let shown = try await tx("show", id).succeeded().text
        for part in ["Spends 1 input", "You pay 0.00050000 test BTC to", "Fee: 1000 sat"] {
            #expect(shown.contains(part), "\(shown)")
        }
        #expect(
            shown.contains("Signatures: none yet; 1 signature missing, from \(try SampleWallet(seed: 1).fingerprint)"))
    }

    @Test func listsGoOn() async throws {
        for payment in 1...3 {
            var recipe = SampleWallet.Recipe()
            recipe.payment = 20_000 + Int64(payment)
            try write(try SampleWallet(seed: 1).psbt(recipe), to: "tx.psbt")
            try await tx("import", "tx.psbt").succeeded()
        }
        let all = try await list().map { try $0.text("id") }
        #expect(Set(all).count == 3)
        let first = try await tx("list", "--limit", "2", "--json").succeeded().json()
        #expect(try first.field("count") == 3)
        #expect(
            try first.field("transactions", as: [[String: Any]].self).map { try $0.text("id") } == Array(all.prefix(2)))
        #expect(try await tx("list", "--limit", "2").succeeded().errorText.contains("1 more: use --skip 2"))
        let rest = try await tx("list", "--limit", "2", "--skip", "2", "--json").succeeded().json()
        #expect(
            try rest.field("transactions", as: [[String: Any]].self).map { try $0.text("id") } == Array(all.suffix(1)))
        try await tx("list", "--limit", "0", "--json").expectFailure(64, "usage")
    }

    /// Two transactions whose ids begin with the same four digits.
    @Test func aTransactionIsNamedByTheBeginningOfItsId() async throws {
        var seen: [Substring: PSBT] = [:]
        var (pair, payment): ([PSBT], Int64) = ([], 10_000)
        let base = try SampleWallet(seed: 1).psbt()
        while pair.isEmpty {
            payment += 1
            var transaction = base.unsignedTransaction
            transaction = Transaction(
                inputs: transaction.inputs,
                outputs: [TransactionOutput(value: payment, scriptPubKey: transaction.outputs[0].scriptPubKey)])
            let psbt = try PSBT(unsignedTransaction: transaction)
            let beginning = transaction.id.description.prefix(4)
            if let other = seen[beginning] { pair = [other, psbt] } else { seen[beginning] = psbt }
        }
        let ids = pair.map(\.unsignedTransaction.id.description)
        for psbt in pair {
            try write(psbt, to: "tx.psbt")
            try await tx("import", "tx.psbt").succeeded()
        }
        let several: [String: Any] = try await tx("show", String(ids[0].prefix(4)), "--json")
            .expectFailure(65, "no_such_transaction").field("error")
        for id in ids { #expect(try several.text("message").contains(id)) }
        for id in ids {
            let length = zip(ids[0], ids[1]).prefix { $0 == $1 }.count + 1
            let named = try await tx("show", String(id.prefix(length)).uppercased(), "--json").succeeded().json()
            #expect(try named.text("id") == id)
        }
        let unknown = String(ids[0].reversed())
        for verb in ["show", "sign", "export", "delete"] {
            try await tx(verb, unknown, "--json", "--yes").expectFailure(65, "no_such_transaction")
            for text in ["abc", "xyzw", String(repeating: "0", count: 65)] {
                try await tx(verb, text, "--json", "--yes").expectFailure(64, "usage")
            }
        }
    }

    @Test func importsOfOneTransactionAreCombined() async throws {
        let cosigners = try await Cosigners(inputs: 2)
        let parts = try await cosigners.signSeparately()
        for part in parts { try cosigners.first.psbt(part).encoded(as: .binary).write(to: folder.path(part)) }
        let id = cosigners.unsigned.unsignedTransaction.id.description
        #expect(try await tx("import", parts[0], "--json").succeeded().json().text("state") == "partial")
        let again = try await tx("import", parts[0], "--json").succeeded().json()
        #expect(try again.field("new") == false)
        #expect(try again.field("missing") == 2)
        #expect(try again.field("signed_by") == [cosigners.wallets[0].fingerprint.description])
        let both = try await tx(
            "import", "-", "--json", input: Data(contentsOf: folder.url.appendingPathComponent(parts[1]))
        )
        .succeeded().json()
        #expect(try both.field("new") == false)
        #expect(try both.text("state") == "complete")
        #expect(try both.field("missing") == 0)
        #expect(try both.field("signed_by") == cosigners.bothFingerprints)
        #expect(try await list().count == 1)
        let shown = try await tx("show", id, "--json").succeeded().json()
        let transaction = try Transaction(serialized: Hex.decode(shown.text("tx")))
        #expect(transaction.inputs.allSatisfy { !$0.witness.isEmpty })
        #expect(try shown.text("txid") == id)
    }

    /// The version that came first stays; the other one's signatures are taken.
    @Test func versionsAreCombined() async throws {
        let cosigners = try await Cosigners()
        let parts = try await cosigners.signSeparately()
        try cosigners.first.psbt(parts[0]).encoded(as: .binary).write(to: folder.path("v0"))
        try cosigners.first.psbt(parts[1]).converted(to: .v2).encoded(as: .base64).write(to: folder.path("v2"))
        try await tx("import", "v0").succeeded()
        let both = try await tx("import", "v2", "--json").succeeded().json()
        #expect(try both.field("new") == false && both.text("state") == "complete")
        #expect(try both.field("psbt_version") == 0)
        #expect(try await list().count == 1)
        let id = try both.text("id")
        for (options, version) in [
            ([], PSBT.Version.v0), (["--psbt-version", "0"], .v0), (["--psbt-version", "2"], .v2),
        ] {
            let run = try await Subprocess.run(
                Subprocess.tapkit, ["tx", "export", id] + options, environment: environment, directory: folder.url)
            let psbt = try PSBT(fileContent: Array(run.succeeded().output))
            #expect(psbt.version == version)
            #expect(psbt.unsignedTransaction.id.description == id)
            #expect(psbt.inputs[0].partialSignatures.count == 2)
        }
        try await tx("export", id, "--psbt-version", "1", "--json").expectFailure(64, "usage")
    }

    @Test func whatContradictsIsRefused() async throws {
        let psbt = try SampleWallet(seed: 1).psbt()
        let id = psbt.unsignedTransaction.id.description
        try write(psbt, to: "tx.psbt")
        try await tx("import", "tx.psbt").succeeded()
        let before = try await exported(id)
        var liar = psbt
        let coin = try #require(psbt.inputs[0].witnessUTXO)
        liar[input: 0].witnessUTXO = TransactionOutput(value: 99_000, scriptPubKey: coin.scriptPubKey)
        try write(liar, to: "liar.psbt")
        try await tx("import", "liar.psbt", "--json").expectFailure(65, "contradiction")
        #expect(try await exported(id) == before)
    }

    /// Neither alone, nor in the place of the right one, nor as a final witness.
    @Test func signaturesThatAreNotValidAreRefused() async throws {
        let workshop = try await Workshop()
        let unsigned = try await workshop.writePSBT()
        let id = unsigned.unsignedTransaction.id.description
        try await workshop.tapkit("sign", "tx.psbt", "--yes").succeeded()
        let right: PSBT = try PSBT(
            fileContent: Array(try await workshop.tapkit("tx", "export", id).succeeded().output))
        let present = try #require(right.inputs[0].partialSignatures.first)
        let (key, signature) = (present.publicKey, present.signature)
        let others = [UInt8.min, 0x7F, .max].filter { $0 != signature[signature.count - 10] }
        for byte in others {
            var wrong = unsigned
            var changed = signature
            // In S: smaller or greater than the right one, and well formed.
            changed[changed.count - 10] = byte
            wrong.addPartialSignature(PartialSignature(publicKey: key, signature: changed), toInput: 0)
            try write(wrong, to: "wrong.psbt")
            try await tx("import", "wrong.psbt", "--json").expectFailure(65, "bad_psbt")
            #expect(try await list().isEmpty)
        }
        try write(right, to: "right.psbt")
        try await tx("import", "right.psbt").succeeded()
        let before = try await exported(id)
        for byte in others {
            var wrong = unsigned
            var changed = signature
            changed[changed.count - 10] = byte
            wrong.addPartialSignature(PartialSignature(publicKey: key, signature: changed), toInput: 0)
            try write(wrong, to: "wrong.psbt")
            try await tx("import", "wrong.psbt", "--json").expectFailure(65, "bad_psbt")
            var final = unsigned
            final[input: 0].finalWitness = [changed, key]
            try write(final, to: "final.psbt")
            try await tx("import", "final.psbt", "--json").expectFailure(65, "bad_psbt")
        }
        #expect(try await exported(id) == before)
    }

    @Test(arguments: PSBT.FileForm.allCases) func itIsGivenOutInEveryForm(_ form: PSBT.FileForm) async throws {
        let psbt = try SampleWallet(seed: 1).psbt()
        let id = psbt.unsignedTransaction.id.description
        try await tx("import", "-", input: Data(psbt.encoded(as: form))).succeeded()
        let name = form == .binary ? "binary" : form == .base64 ? "base64" : "hex"
        let printed = try await tx("export", id, "--form", name).succeeded()
        #expect(try PSBT(fileContent: Array(printed.output)).fileForm == form)
        let written = try await tx("export", id, "--form", name, "-o", "out", "--json").succeeded().json()
        #expect(try written.text("file") == "out")
        let bytes = Array(try Data(contentsOf: folder.url.appendingPathComponent("out")))
        #expect(try PSBT(fileContent: bytes).fileForm == form)
        #expect(try PSBT(fileContent: bytes).serialized() == psbt.serialized())
        let named = try await tx("export", id, "-o", "plain").succeeded()
        #expect(named.text == "Saved to plain.\n")
        try folder.write("precious", to: "plain")
        try await tx("export", id, "-o", "plain", "--json").expectFailure(73, "would_overwrite")
        try await tx("export", id, "-o", "plain", "--force").succeeded()
        #expect(try Array(Data(contentsOf: folder.url.appendingPathComponent("plain"))) == psbt.serialized())
        #expect(try Array(Data(contentsOf: folder.url.appendingPathComponent("plain"))) == psbt.serialized())
        #expect(try PSBT(fileContent: Array(await tx("export", id).succeeded().output)).fileForm == .base64)
    }

    @Test func whatIsForgottenIsAskedFor() async throws {
        let workshop = try await Workshop()
        let id = try await workshop.writePSBT().unsignedTransaction.id.description
        try await workshop.tapkit("tx", "import", "tx.psbt").succeeded()
        let run = try await workshop.tapkit("tx", "delete", id, "--json")
        try run.expectFailure(64, "confirmation_needed")
        #expect(try run.hint().contains("--yes"))
        for (answer, ending) in [("n", false), ("y", true)] {
            let terminal = try Terminal(workshop, "tx", "delete", id)
            try await terminal.shows("Delete this transaction and its signatures? [y/N]")
            terminal.type(answer + "\n")
            #expect((try await terminal.ending() == .exited(0)) == ending)
            let left = try await workshop.tapkit("tx", "list", "--json").succeeded().json()
            #expect(try left.field("count") == (ending ? 0 : 1))
        }
        try await workshop.tapkit("tx", "import", "tx.psbt").succeeded()
        let gone = try await workshop.tapkit("tx", "delete", String(id.prefix(8)), "-y", "--json").succeeded().json()
        #expect(try gone.text("id") == id && gone.field("deleted"))
        try await workshop.tapkit("tx", "delete", id, "-y", "--json").expectFailure(65, "no_such_transaction")
    }

    /// A cosigner's signature that only the output file has is not lost to the one that is made now.
    @Test func theOutputFilesSignaturesCount() async throws {
        let cosigners = try await Cosigners()
        let theirs = try await cosigners.signSeparately()[1]
        let id = cosigners.unsigned.unsignedTransaction.id.description
        try await cosigners.first.tapkit("tx", "import", "tx.psbt").succeeded()
        let signed = try await cosigners.first.tapkit("tx", "sign", id, "-o", theirs, "--yes", "--json").succeeded()
            .json()
        #expect(try signed.field("complete") as Bool)
        #expect(try cosigners.first.psbt(theirs).isFinalized)
        let other = try await cosigners.first.writePSBT().unsignedTransaction.id
        #expect(other.description != id)
        try await cosigners.first.tapkit("tx", "sign", id, "-o", "tx.psbt", "--yes", "--json")
            .expectFailure(73, "would_overwrite")
    }

    /// Who only looks leaves no store behind.
    @Test func aStoreThatIsMissingStaysMissing() async throws {
        #expect(try await list().isEmpty)
        #expect(try await tx("list").succeeded().text.contains("No transactions are stored."))
        for verb in ["show", "sign", "export", "delete"] {
            try await tx(verb, "00112233", "--yes", "--json").expectFailure(65, "no_such_transaction")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func theStoredOneIsSigned() async throws {
        let workshop = try await Workshop()
        let id = try await workshop.writePSBT(inputs: 2).unsignedTransaction.id.description
        let imported = try await workshop.tapkit("tx", "import", "tx.psbt").succeeded()
        #expect(imported.errorText.contains("Next: tapkit tx sign \(id.prefix(12))"))
        let signed = try await workshop.tapkit("tx", "sign", String(id.prefix(6)), "--yes", "--json", "-o", "out")
            .succeeded()
            .json()
        #expect(try await signed.expectComplete(inputs: 2) == id)
        #expect(try workshop.psbt("out").isFinalized)
        #expect(!FileManager.default.fileExists(atPath: workshop.folder.path("tx.signed.psbt")))
        let again = try await workshop.tapkit("tx", "sign", id, "--yes", "--extract").succeeded().text
        #expect(
            try Hex.encode(Transaction(serialized: Hex.decode(again.trimmingCharacters(in: .newlines))).serialized())
                == signed.text("tx"))
        let shown = try await workshop.tapkit("tx", "show", id, "--json").succeeded().json()
        #expect(try shown.text("state") == "complete" && shown.text("tx") == signed.text("tx"))
    }

    /// What a backup signed is kept like what a card signed, and a card goes on with it.
    @Test func aBackupSignsForTheStoreToo() async throws {
        let cosigners = try await Cosigners()
        try cosigners.first.writeBackupKey()
        try await cosigners.first.tapkit(
            ["recover", "sign", "tx.psbt", "--backup", "backup.aes", "--key-file", "key", "--yes"],
            environment: Workshop.offline
        ).succeeded()
        let stored = try await cosigners.stored()
        #expect(stored.map { $0["signed_by"] as? [String] } == [[cosigners.wallets[0].fingerprint.description]])
        try cosigners.removeSigned()
        let rest = try await cosigners.first.tapkit(
            "sign", "tx.psbt", "--yes", "--json", environment: cosigners.withSecond
        ).succeeded().json()
        #expect(try rest.field("signed") == 1)
        try await rest.expectComplete(inputs: 1)
    }
}

extension [UInt8] {
    fileprivate func write(to path: String) throws { try Data(self).write(to: URL(fileURLWithPath: path)) }
}
