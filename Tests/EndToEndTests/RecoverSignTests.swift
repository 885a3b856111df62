import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// `tapkit recover sign`: the card is lost.
@Suite struct RecoverSignTests {
    private static let recover = ["recover", "sign", "tx.psbt", "--backup", "backup.aes", "--key-file", "key"]

    /// A store that knows nothing of what was signed before.
    private static let otherStore: [String: String?] = ["TAPKIT_DATA_DIR": "other-store"]

    /// Nothing is left of the card but its backup, its key, and a PSBT.
    private func workshop(inputs: Int = 1) async throws -> Workshop {
        let workshop = try await Workshop()
        try workshop.writeBackupKey()
        try await workshop.writePSBT(inputs: inputs, on: BitcoinNode.shared())
        return workshop
    }

    private func recover(
        _ workshop: Workshop, _ options: String..., input: Data = Data()
    ) async throws -> Subprocess {
        try await workshop.tapkit(Self.recover + options, input: input, environment: Workshop.offline)
    }

    @Test func signsWhatTheCardWouldHaveSigned() async throws {
        let workshop = try await workshop(inputs: 3)
        let cards = try await workshop.tapkit(
            "sign", "tx.psbt", "-o", "card", "--yes", "--json", environment: Self.otherStore
        ).succeeded()
        try FileManager.default.removeItem(atPath: workshop.cardFile)

        let run = try await recover(workshop, "--yes", "--json").succeeded()
        let answer = try run.json()
        answer.expectKeys(
            "signed complete psbt txid tx fee_sat sat_per_vb inputs outputs evidence warnings notices findings file "
                + "signers signed_by missing hot")
        #expect(try answer.field("signed", as: Int.self) == 3)
        #expect(try answer.field("hot", as: Bool.self))
        #expect(try await answer.expectComplete(inputs: 3) == cards.json().text("txid"))
        #expect(try answer.text("file") == "tx.signed.psbt")
        #expect(run.errorText.contains("HOT"))
        // The same screens, but for the card's progress.
        for line in cards.errorText.split(separator: "\n") where line.hasPrefix("  ") || line.hasPrefix("Fee") {
            #expect(run.errorText.contains(line), "\(line)")
        }
        for key in ["inputs", "outputs"] {
            let (own, theirs): ([[String: Any]], [[String: Any]]) = (
                try answer.field(key), try cards.json().field(key)
            )
            #expect(NSArray(array: own) == NSArray(array: theirs))
        }
        let again = try await recover(workshop, "--yes", "--json").succeeded().json()
        #expect(try again.field("signed", as: Int.self) == 0 && again.text("tx") == answer.text("tx"))
    }

    @Test(arguments: PSBT.FileForm.allCases)
    func whatComesInAFormGoesOutInIt(_ form: PSBT.FileForm) async throws {
        let workshop = try await workshop()
        try await workshop.writePSBT(as: form)
        let named = try await recover(workshop, "-o", "-", "--yes").succeeded()
        let signed = try PSBT(fileContent: Array(named.output))
        #expect(signed.fileForm == form)
        try await signed.expectVerified()
        let piped = try await workshop.tapkit(
            "recover", "sign", "-", "--backup", "backup.aes", "--key-file", "key", "--extract", "--yes",
            input: Data(try workshop.bytes("tx.psbt")), environment: Workshop.offline
        ).succeeded()
        let transaction = try Transaction(
            serialized: Hex.decode(piped.text.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(transaction.id == signed.unsignedTransaction.id)
        try await NodeJury.expectTaken([transaction])
    }

    /// One cosigner's card is there, the other's is lost.
    @Test func aCardAndABackupSignAMultisig() async throws {
        let (workshop, lost) = (try await workshop(), try await Workshop())
        let wallets = [try await workshop.wallet(), try await lost.wallet(), try SampleWallet(seed: 3)]
        let path = try DerivationPath(parsing: "m/48h/1h/0h/2h/0/4")
        let script = try MultisigScript(threshold: 2, sorting: wallets.map { try $0.publicKey(path) }).script
        let funding = try SampleWallet.funding(.p2wsh(script), amount: 100_000, salt: 1)
        var psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: [
                    TransactionInput(outpoint: Outpoint(transactionID: funding.id, index: 1), sequence: 0xFFFF_FFFD)
                ],
                outputs: [
                    TransactionOutput(
                        value: 99_000, scriptPubKey: Script([0x00, 0x14] + [UInt8](repeating: 7, count: 20)))
                ]))
        psbt[input: 0].nonWitnessUTXO = try PreviousTransaction(funding)
        psbt[input: 0].witnessUTXO = funding.outputs[1]
        psbt[input: 0].witnessScript = script
        for wallet in wallets { psbt[input: 0].addDerivation(try wallet.derivation(path)) }
        try Data(psbt.serialized()).write(to: workshop.folder.url.appendingPathComponent("tx.psbt"))

        // The card first, then the other card's backup.
        let half = try await workshop.tapkit(
            "sign", "tx.psbt", "-o", "half", "--yes", "--json", environment: Self.otherStore
        ).succeeded().json()
        #expect(try !half.field("complete", as: Bool.self))
        let backup = ["--backup", lost.folder.path("backup.aes"), "--key-file", lost.folder.path("key"), "--yes"]
        try lost.writeBackupKey()
        let whole = try await workshop.tapkit(
            ["recover", "sign", "half", "-o", "whole", "--json"] + backup,
            environment: Workshop.offline.merging(Self.otherStore) { $1 }
        ).succeeded().json()
        #expect(try whole.field("signed", as: Int.self) == 1)
        try await whole.expectComplete(inputs: 1)

        // The backup first, then the card; alone it is not enough.
        let alone = try await workshop.tapkit(
            ["recover", "sign", "tx.psbt", "-o", "alone", "--extract", "--json"] + backup,
            environment: Workshop.offline)
        #expect(try alone.expectFailure(65, "not_complete").text("saved") == "alone")
        try await workshop.tapkit("sign", "alone", "-o", "both", "--yes", "--json").succeeded().json()
            .expectComplete(inputs: 1)

        // Both signatures are in the store: the unsigned file is enough.
        let later = try await workshop.tapkit(
            ["recover", "sign", "tx.psbt", "-o", "later", "--json"] + backup, environment: Workshop.offline
        ).succeeded().json()
        try await later.expectComplete(inputs: 1)
    }

    /// Whatever `sign` refuses, this refuses in the same words.
    @Test func refusesWhatSignRefuses() async throws {
        let workshop = try await workshop()
        let honest = try workshop.psbt("tx.psbt")
        var (lie, sighash, unproven) = (honest, honest, honest)
        lie[input: 0].witnessUTXO?.value += 1
        sighash[input: 0].sighashType = SighashType(rawValue: 3)
        unproven[input: 0].nonWitnessUTXO = nil
        let foreign = try SampleWallet(seed: 9).psbt()
        for (psbt, options, code) in [
            (lie, [], "refused"), (sighash, [], "refused"), (unproven, ["--strict"], "refused"),
            (foreign, [], "nothing_to_sign"),
        ] as [(PSBT, [String], String)] {
            try Data(psbt.serialized()).write(to: workshop.folder.url.appendingPathComponent("tx.psbt"))
            let card = try await workshop.tapkit(["sign", "tx.psbt", "--yes", "--json"] + options)
                .expectFailure(65, code)
            let own = try await workshop.tapkit(Self.recover + ["--yes", "--json"] + options).expectFailure(65, code)
            #expect(NSDictionary(dictionary: card) == NSDictionary(dictionary: own))
        }
        try Data(honest.serialized()).write(to: workshop.folder.url.appendingPathComponent("tx.psbt"))
        let network = try await recover(workshop, "--network", "main", "--yes", "--json").expectFailure(65, "refused")
        let error: [String: Any] = try network.field("error")
        #expect(try error.text("message").contains("The backup is for the test networks"))
        try Data(sighash.serialized()).write(to: workshop.folder.url.appendingPathComponent("tx.psbt"))
        try await recover(workshop, "--allow-sighash", "--yes", "--json").succeeded().json().expectComplete(inputs: 1)
    }

    @Test func whatIsMissingOrWrongIsSaid() async throws {
        let workshop = try await workshop()
        try await workshop.tapkit(
            "recover", "sign", "tx.psbt", "--backup", "none", "--key-file", "key", "--json"
        ).expectFailure(66, "no_input_file")
        try await workshop.tapkit(
            "recover", "sign", "none", "--backup", "backup.aes", "--key-file", "key", "--json"
        ).expectFailure(66, "no_input_file")
        try workshop.folder.write(String(repeating: "0", count: 32), to: "wrong")
        try await workshop.tapkit(
            "recover", "sign", "tx.psbt", "--backup", "backup.aes", "--key-file", "wrong", "--json", "--yes"
        ).expectFailure(65, "wrong_backup_key")
        let nobody = try await workshop.tapkit(
            "recover", "sign", "tx.psbt", "--backup", "backup.aes", "--json", "--yes")
        try nobody.expectFailure(77, "key_needed")
        let unasked = try await workshop.tapkit(Self.recover + ["--json"])
        try unasked.expectFailure(64, "confirmation_needed")
        #expect(unasked.errorText.contains("You pay 0.00090000 test BTC to"))
        #expect(!FileManager.default.fileExists(atPath: workshop.folder.path("tx.signed.psbt")))
        try workshop.folder.write("precious", to: "tx.signed.psbt")
        try await recover(workshop, "--yes", "--json").expectFailure(73, "would_overwrite")
        try await recover(workshop, "-o", "none/out", "--yes", "--json").expectFailure(73, "cannot_write")
    }

    /// The path's line was cut off: the key is whole, and money is worth more than a tidy file.
    @Test func aBackupThatWasCutOffStillSigns() async throws {
        let workshop = try await workshop()
        let whole = try workshop.bytes("backup.aes")
        try Data(whole.dropLast(4)).write(to: workshop.folder.url.appendingPathComponent("backup.aes"))
        try await workshop.tapkit("backup", "verify", "backup.aes", "--key-file", "key", "--json")
            .expectFailure(65, "bad_backup")
        let run = try await recover(workshop, "--yes", "--json").succeeded()
        #expect(run.errorText.contains("cut off"))
        try await run.json().expectComplete(inputs: 1)
    }

    /// PSBTs of embit and wallycore, judged by python-bitcointx, btclib and a real node.
    @Test(arguments: [("p2pkh", "m/44h/1h/0h"), ("p2wpkh", "m/84h/1h/0h"), ("p2sh-p2wpkh", "m/49h/1h/5h")])
    func independentLibrariesAgree(kind: String, path: String) async throws {
        let python = try PythonEnvironment.shared()
        let workshop = try await workshop()
        let account = try await workshop.tapkit("derive", path, "--json").succeeded().json()
        let seed = ProcessInfo.processInfo.environment["TAPKIT_TEST_SEED"] ?? "1"
        for library in ["embit", "wallycore"] {
            let made = try await python.run(
                "make_psbt.py",
                [
                    "library": library, "seed": "\(seed) recover \(kind)", "network": "test", "type": kind,
                    "xpub": try account.text("xpub"), "fingerprint": try account.text("fingerprint"), "path": path,
                    "inputs": 3, "previous": "full",
                ])
            try workshop.folder.write(made.text("psbt"), to: "tx.psbt")
            let answer = try await recover(workshop, "-o", "\(library).psbt", "--extract", "--yes", "--json")
                .succeeded().json()
            #expect(try answer.field("signed", as: Int.self) == 3)
            let verdicts = try await python.run(
                "verify_tx.py",
                ["tx": try answer.text("tx"), "spent": try made.field("spent", as: [[String: Any]].self)])
            for judge in ["bitcointx", "btclib", "kernel"] {
                #expect(verdicts[judge] as? Bool == true, "\(judge): \(String(describing: verdicts[judge]))")
            }
            try await Judges.expectTaken(try answer.text("tx"))
        }
    }
}
