import Bitcoin
import Foundation
import TestSupport
import Testing

/// Files that contradict the store, and a store that contradicts itself.
@Suite struct StoredLieTests {
    /// The stored transaction knows what the coins are worth. A file of the same transaction that says otherwise is not
    /// imported, not signed by a card, and not signed with its backup; what is signed stays.
    @Test func aLieAboutAStoredCoinIsRefusedByAll() async throws {
        let workshop = try await Workshop()
        try workshop.writeBackupKey()
        let honest = try await workshop.writePSBT(inputs: 2)
        let id = honest.unsignedTransaction.id.description
        var liar = honest
        let coin = try honest.spentOutput(ofInput: 1)
        liar[input: 1].nonWitnessUTXO = nil
        liar[input: 1].witnessUTXO = TransactionOutput(value: coin.value - 500, scriptPubKey: coin.scriptPubKey)
        try Data(liar.serialized()).write(to: workshop.folder.url.appendingPathComponent("lie.psbt"))
        try await workshop.tapkit("sign", "tx.psbt", "-o", "signed.psbt", "--yes").succeeded()
        let kept = try await workshop.tapkit("tx", "export", id).succeeded().text

        for arguments in [
            ["tx", "import", "lie.psbt"], ["sign", "lie.psbt", "--yes", "-o", "out.psbt"],
            ["recover", "sign", "lie.psbt", "--backup", "backup.aes", "--key-file", "key", "--yes", "-o", "out.psbt"],
        ] {
            let run = try await workshop.tapkit(arguments + ["--json"])
            let error: [String: Any] = try run.expectFailure(65, "contradiction").field("error")
            #expect(try error.text("message").contains(id), "\(arguments)")
            #expect(!FileManager.default.fileExists(atPath: workshop.folder.path("out.psbt")))
            #expect(try await workshop.tapkit("tx", "export", id).succeeded().text == kept, "\(arguments)")
        }
        let status = try await workshop.tapkit("status", "--json").succeeded().json()
        #expect(try status.field("unfinished", as: [[String: Any]].self).isEmpty)
    }

    /// Each of two files tells the truth about one of the card's coins, and dresses the other one up as somebody's whose
    /// script is missing, with an amount that hides the fee. Signed one after the other, the two would be worth it all.
    @Test func twoHalvesOfALieAreNotBothSigned() async throws {
        let workshop = try await Workshop()
        try workshop.writeBackupKey()
        let honest = try await workshop.writePSBT(inputs: 2)
        let id = honest.unsignedTransaction.id.description
        for (file, hidden) in [("one.psbt", 1), ("two.psbt", 0)] {
            var half = honest
            for index in 0..<2 {
                let coin = try honest.spentOutput(ofInput: index)
                let foreign = Script([0x00, 0x20] + [UInt8](repeating: 7, count: 32))
                if index == hidden { half[input: index] = PSBT.Input() }
                half[input: index].nonWitnessUTXO = nil
                half[input: index].witnessUTXO =
                    index == hidden
                    ? TransactionOutput(value: coin.value - 500, scriptPubKey: foreign) : coin
            }
            try Data(half.serialized()).write(to: workshop.folder.url.appendingPathComponent(file))
        }
        let accepted = ["--yes", "--accept", "amount_not_proven", "--json"]
        let first = try await workshop.tapkit(["sign", "one.psbt", "-o", "out"] + accepted).succeeded().json()
        #expect(try first.field("signed") == 1)
        let kept = try await workshop.tapkit("tx", "export", id).succeeded().text
        for arguments in [
            ["sign", "two.psbt", "--yes", "-o", "out2"], ["tx", "import", "two.psbt"],
            ["recover", "sign", "two.psbt", "--backup", "backup.aes", "--key-file", "key", "--yes", "-o", "out2"],
        ] {
            try await workshop.tapkit(arguments + ["--json"]).expectFailure(65, "contradiction")
            #expect(try await workshop.tapkit("tx", "export", id).succeeded().text == kept, "\(arguments)")
        }
    }

    /// A final script whose signature came into the store from elsewhere is not sent: no server is even asked.
    @Test func aForgedScriptInTheStoreIsNotSent() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        try await workshop.tapkit("sign", "tx.psbt", "-o", "signed.psbt", "--yes").succeeded()
        var psbt = try workshop.psbt("signed.psbt")
        let id = psbt.unsignedTransaction.id.description
        psbt[input: 0].finalWitness?[0][10] ^= 1
        try Data(psbt.serialized()).write(to: workshop.folder.url.appendingPathComponent("forged.psbt"))
        try await Subprocess.run(
            "/usr/bin/python3",
            [
                "-c",
                "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute('DELETE FROM signature'); "
                    + "d.execute('UPDATE psbt_content SET bytes = ?', (open(sys.argv[2], 'rb').read(),)); d.commit()",
                workshop.storeFolder.path("data/store.sqlite"), workshop.folder.path("forged.psbt"),
            ]
        ).succeeded()
        // Nobody listens there.
        try await workshop.tapkit("tx", "broadcast", id, "--chain", "esplora:http://127.0.0.1:1", "--json")
            .expectFailure(65, "bad_psbt")
    }

    /// Whatever is wrong with a stored transaction, it can be deleted.
    @Test func whatCannotBeReadCanBeDeleted() async throws {
        let folder = try TemporaryFolder()
        let psbt = try SampleWallet(seed: 1).psbt()
        try Data(psbt.serialized()).write(to: folder.url.appendingPathComponent("tx.psbt"))
        func tx(_ arguments: String...) async throws -> Subprocess {
            try await Subprocess.run(
                Subprocess.tapkit, ["tx"] + arguments,
                environment: Workshop.nothing.merging(["TAPKIT_DATA_DIR": folder.path("data")]) { $1 },
                directory: folder.url)
        }
        let id = psbt.unsignedTransaction.id.description
        try await tx("import", "tx.psbt").succeeded()
        try await Subprocess.run(
            "/usr/bin/python3",
            [
                "-c",
                "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute('DELETE FROM psbt_content'); d.commit()",
                folder.path("data/store.sqlite"),
            ]
        ).succeeded()
        try await tx("show", id, "--json").expectFailure(65, "store_damaged")
        #expect(try await tx("delete", id, "--yes", "--json").succeeded().json().field("deleted"))
        try await tx("import", "tx.psbt").succeeded()
        #expect(try await tx("show", id, "--json").succeeded().json().text("id") == id)
    }
}
