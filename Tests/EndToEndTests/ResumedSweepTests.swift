import Bitcoin
import Foundation
import TestSupport
import Testing

/// What a sweep goes on with: its own stored transaction, as sound as a new one, and never somebody else's.
@Suite struct ResumedSweepTests {
    private static let destination = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"

    /// A SATSCARD with 100 000 sat in its opened slot.
    private struct Place: Sendable {
        let workshop: Workshop
        let chain: RegtestChain

        init(_ options: String...) async throws {
            workshop = try await Workshop(
                isSetUp: false, ["--product", "satscard", "--unlucky", "0", "--used-slots", "1"] + options,
                cvc: Workshop.satscardCVC)
            chain = try await RegtestChain.start()
            let address = try await self("address", "--slot", "1").succeeded().json().text("address")
            let script = try Address(parsing: address, network: .regtest).scriptPubKey
            _ = try await chain.fund(script, try #require(Amount(satoshis: 100_000)))
            try await chain.mine()
        }

        func callAsFunction(_ arguments: String...) async throws -> Subprocess {
            try await workshop.tapkit(
                arguments + ["--json"],
                environment: ["TAPKIT_NETWORK": "regtest", "TAPKIT_CHAIN": chain.esploraServer])
        }

        /// The sweep that `tapkit` makes, signed, and forgotten again.
        func honestSweep() async throws -> PSBT {
            let swept = try await self(
                "sweep", "--to", ResumedSweepTests.destination, "--fee-rate", "1", "--yes", "-o", "honest.psbt"
            ).succeeded().json()
            try await self("tx", "delete", try swept.text("id"), "--yes").succeeded()
            return try workshop.psbt("honest.psbt")
        }

        /// The same coin to the same address, but for what the miners get.
        func write(_ honest: PSBT, paying satoshis: Int64, to name: String) throws -> PSBT {
            let transaction = honest.unsignedTransaction
            var psbt = try PSBT(
                unsignedTransaction: Transaction(
                    inputs: transaction.inputs,
                    outputs: transaction.outputs.map {
                        TransactionOutput(value: satoshis, scriptPubKey: $0.scriptPubKey)
                    }))
            psbt.inputs[0].nonWitnessUTXO = honest.inputs[0].nonWitnessUTXO
            psbt.inputs[0].witnessUTXO = try honest.spentOutput(ofInput: 0)
            try Data(psbt.serialized()).write(to: workshop.folder.url.appendingPathComponent(name))
            return psbt
        }
    }

    /// Whoever has a PSBT imported that pays the right address, and the miners the rest, does not have it signed by `sweep`.
    @Test(arguments: [546, 60_000, 99_000] as [Int64])
    func anImportedTransactionIsNoStoredSweep(_ paid: Int64) async throws {
        let place = try await Place()
        let psbt = try place.write(try await place.honestSweep(), paying: paid, to: "thief.psbt")
        let id = psbt.unsignedTransaction.id
        try await place("tx", "import", "thief.psbt", "--note", "sweep").succeeded()
        for arguments in [[], ["--fee-rate", "1"], ["--fee-rate", "\((100_000 - paid) / 110)"]] {
            let run = try await place.workshop.tapkit(
                ["sweep", "--to", Self.destination, "--yes", "--json", "--broadcast"] + arguments,
                environment: ["TAPKIT_NETWORK": "regtest", "TAPKIT_CHAIN": place.chain.esploraServer])
            #expect(run.ending != .exited(0), "\(run.text)")
            guard arguments.count < 2 || arguments[1] == "1" else { continue }
            try run.expectFailure(65, "coins_taken")
            #expect(try run.hint().contains("tapkit tx delete \(id.description.prefix(12))"))
        }
        try await place("tx", "sign", id.description, "--yes").expectFailure(65, "not_supported")
        // It is still there, and nobody signed it.
        #expect(try await place("tx", "show", id.description).succeeded().json().text("state") == "unsigned")
        try await place("tx", "delete", id.description, "--yes").succeeded()
        let swept = try await place("sweep", "--to", Self.destination, "--fee-rate", "1", "--yes").succeeded().json()
        #expect(swept["complete"] as? Bool == true)
    }

    /// A stored sweep to a slot that was opened since is not signed: whoever saw its key would take the money.
    @Test func aStoredSweepToASlotThatWasOpenedSinceIsRefused() async throws {
        let place = try await Place()
        let next = try await place("address").succeeded().json().text("address")
        let swept = try await place("sweep", "--to", next, "--fee-rate", "1", "--yes").succeeded().json()
        try await place("unseal", "--yes").succeeded()
        let id = try swept.text("id")
        try await place("tx", "sign", id, "--yes").expectFailure(65, "slot_opened")
        try await place("sweep", "--to", next, "--fee-rate", "1", "--yes").expectFailure(65, "slot_opened")
    }

    /// What the store says of a sweep is looked at as if it were new: a fee above what arrives ends it.
    @Test func aStoredSweepThatBurnsItsCoinIsRefused() async throws {
        let place = try await Place()
        let psbt = try place.write(try await place.honestSweep(), paying: 20_000, to: "thief.psbt")
        let id = psbt.unsignedTransaction.id.description
        try await place("tx", "import", "thief.psbt").succeeded()
        // Whoever can write the store can call it a sweep.
        try await Subprocess.run(
            "/usr/bin/python3",
            [
                "-c", "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute('UPDATE psbt SET drains = 1'); d.commit()",
                place.workshop.storeFolder.path("data/store.sqlite"),
            ]
        ).succeeded()
        try await place("sweep", "--to", Self.destination, "--yes").expectFailure(65, "fee_too_high")
        try await place("tx", "sign", id, "--yes").expectFailure(65, "fee_too_high")
        #expect(try await place("tx", "show", id).succeeded().json().text("state") == "unsigned")
    }
}
