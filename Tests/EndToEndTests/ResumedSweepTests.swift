import Bitcoin
import Foundation
import TestSupport
import Testing

/// What a sweep goes on with: its own stored transaction, as sound as a new one, and never somebody else's.
@Suite struct ResumedSweepTests {
    /// A SATSCARD with 100 000 sat in its opened slot.
    private func place() async throws -> ChainPlace {
        let place = try await ChainPlace(try await Workshop.satscard("--used-slots", "1"))
        try await place.fund(try await place("address", "--slot", "1").succeeded().json().text("address"), 100_000)
        return place
    }

    /// What waits to be sent is told wherever the card is looked at.
    @Test func aSweepThatWasNotSentIsTold() async throws {
        let place = try await place()
        let swept = try await place("sweep", "--to", ChainPlace.stranger, "--fee-rate", "1", "--yes").succeeded().json()
        let id = try swept.text("id")
        #expect(try swept.field("inputs", as: [[String: Any]].self).allSatisfy { $0["mine"] as? Bool == true })
        // Nobody who has it signed is told that the store is damaged. The slot that signed is not named in its PSBT.
        try await place("store", "check").succeeded()
        let listed: [[String: Any]] = try await place("tx", "list").succeeded().json().field("transactions")
        #expect(try listed.map { try $0.field("signed_by", as: [String].self) } == [[]])
        for verb in ["status", "slots"] {
            let told: [[String: Any]] = try await place(verb).succeeded().json().field("unsent")
            #expect(try told.map { try $0.text("id") } == [id] && told[0].text("state") == "complete")
            let words = try await place.workshop.tapkit(verb).succeeded().text
            #expect(words.contains("tapkit tx broadcast \(id.prefix(12))"), "\(words)")
        }
        #expect(try await place.workshop.tapkit("status").text.contains("Next: tapkit tx broadcast"))
        try await place("tx", "broadcast", id).succeeded()
        for verb in ["status", "slots"] {
            #expect(try await place(verb).succeeded().json().field("unsent", as: [[String: Any]].self).isEmpty)
        }
    }

    /// A file of somebody else's is not lost to a sweep; what an earlier run of the sweep wrote is in the store.
    @Test func onlyItsOwnFileIsWrittenAnew() async throws {
        let place = try await place()
        let sweep = ["sweep", "--to", ChainPlace.stranger, "--fee-rate", "1", "--yes", "--json", "-o", "swept.psbt"]
        try place.workshop.folder.write("precious", to: "swept.psbt")
        try await place(sweep).expectFailure(73, "would_overwrite")
        #expect(try place.workshop.bytes("swept.psbt") == Array("precious".utf8))
        #expect(try await place("tx", "list", "--json").succeeded().json()["transactions"] as? [String] == [])
        try await place(sweep + ["--force"]).succeeded()
        let swept = try place.workshop.psbt("swept.psbt")
        try await place(sweep).succeeded()
        #expect(try place.workshop.psbt("swept.psbt").unsignedTransaction.id == swept.unsignedTransaction.id)
    }

    /// Writes a transaction of the same coin to the same address as the sweep that `tapkit` makes, but for what the miners get.
    private func writeTheft(_ place: ChainPlace, paying satoshis: Int64) async throws -> PSBT {
        let swept = try await place(
            "sweep", "--to", ChainPlace.stranger, "--fee-rate", "1", "--yes", "-o", "honest.psbt"
        ).succeeded().json()
        try await place("tx", "delete", try swept.text("id"), "--yes").succeeded()
        let honest = try place.workshop.psbt("honest.psbt")
        let transaction = honest.unsignedTransaction
        let outputs = transaction.outputs.map {
            TransactionOutput(value: satoshis, scriptPubKey: $0.scriptPubKey)
        }
        var psbt = try PSBT(unsignedTransaction: Transaction(inputs: transaction.inputs, outputs: outputs))
        psbt[input: 0].nonWitnessUTXO = honest.inputs[0].nonWitnessUTXO
        psbt[input: 0].witnessUTXO = try honest.spentOutput(ofInput: 0)
        try Data(psbt.serialized()).write(to: place.workshop.folder.url.appendingPathComponent("thief.psbt"))
        return psbt
    }

    /// Whoever has a PSBT imported that pays the right address, and the miners the rest, does not have it signed by `sweep`.
    @Test(arguments: [546, 60_000, 99_000] as [Int64])
    func anImportedTransactionIsNoStoredSweep(_ paid: Int64) async throws {
        let place = try await place()
        let id = try await writeTheft(place, paying: paid).unsignedTransaction.id.description
        try await place("tx", "import", "thief.psbt", "--note", "sweep").succeeded()
        for rate in [[], ["--fee-rate", "1"], ["--fee-rate", "9"]] {
            let run = try await place(["sweep", "--to", ChainPlace.stranger, "--yes", "--broadcast"] + rate)
            try run.expectFailure(65, "coins_taken")
            #expect(try run.hint().contains("tapkit tx delete"))
        }
        let signing = try await place("tx", "sign", id, "--yes")
        #expect(signing.ending != .exited(0), "\(signing.text)")
        // It is still there, and nobody signed it.
        #expect(try await place("tx", "show", id).succeeded().json().text("state") == "unsigned")
        try await place("tx", "delete", id, "--yes").succeeded()
        let swept = try await place("sweep", "--to", ChainPlace.stranger, "--fee-rate", "1", "--yes").succeeded()
        #expect(try swept.json()["complete"] as? Bool == true)
    }

    /// A stored sweep to a slot that was opened since is not signed: whoever saw its key would take the money.
    @Test func aStoredSweepToASlotThatWasOpenedSinceIsRefused() async throws {
        let place = try await place()
        let next = try await place("address").succeeded().json().text("address")
        let swept = try await place("sweep", "--to", next, "--fee-rate", "1", "--yes").succeeded().json()
        try await place("unseal", "--yes").succeeded()
        let id = try swept.text("id")
        try await place("tx", "sign", id, "--yes").expectFailure(65, "slot_opened")
        try await place("sweep", "--to", next, "--fee-rate", "1", "--yes").expectFailure(65, "slot_opened")
    }

    /// What the store says of a sweep is looked at as if it were new: a fee above what arrives ends it.
    @Test func aStoredSweepThatBurnsItsCoinIsRefused() async throws {
        let place = try await place()
        let id = try await writeTheft(place, paying: 20_000).unsignedTransaction.id.description
        try await place("tx", "import", "thief.psbt").succeeded()
        // Whoever can write the store can call it a sweep.
        try await place.edit("UPDATE psbt SET drains = 1")
        try await place("sweep", "--to", ChainPlace.stranger, "--yes").expectFailure(65, "fee_too_high")
        try await place("tx", "sign", id, "--yes").expectFailure(65, "fee_too_high")
        #expect(try await place("tx", "show", id).succeeded().json().text("state") == "unsigned")
    }
}
