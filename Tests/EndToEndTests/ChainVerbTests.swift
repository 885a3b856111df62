import Bitcoin
import Foundation
import TestSupport
import Testing

/// A card's wallet on a real node's chain: building, signing, sending, replacing; and a SATSCARD's balance and sweeps.
@Suite struct ChainVerbTests {
    private static let stranger = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"

    /// A card's folder, and the chain that its commands ask.
    private struct Place: Sendable {
        let workshop: Workshop
        let chain: BitcoinNode
        /// The stand-in over it, where that is what commands ask.
        let esplora: EsploraServer?
        let server: String

        func callAsFunction(_ arguments: String..., changes: [String: String?] = [:]) async throws -> Subprocess {
            try await workshop.tapkit(
                arguments + ["--json"],
                environment: ["TAPKIT_NETWORK": "regtest", "TAPKIT_CHAIN": server].merging(changes) { $1 })
        }

        func fund(_ address: String, _ satoshis: Int) async throws {
            let script = try Address(parsing: address, network: .regtest).scriptPubKey
            _ = try await chain.fund(script, try #require(Amount(satoshis: satoshis)))
        }
    }

    private func place(_ workshop: Workshop, core: Bool = false) async throws -> Place {
        let chain = try await BitcoinNode.start()
        let esplora = core ? nil : try await EsploraServer.start(over: chain)
        return Place(
            workshop: workshop, chain: chain, esplora: esplora, server: esplora?.server ?? chain.coreServer())
    }

    private func fundedWallet(coins: Int) async throws -> Place {
        let place = try await place(try await Workshop())
        try await place("wallet", "add", "w").succeeded()
        for index in 0..<coins {
            let address = try await place("wallet", "receive", "w", "--index", "\(index)", "--offline")
                .succeeded().json().text("address")
            try await place.fund(address, 100_000)
        }
        try await place.chain.mine()
        return place
    }

    @Test func aTransactionIsBuiltSignedSentAndReplaced() async throws {
        let place = try await fundedWallet(coins: 3)
        let created = try await place(
            "tx", "create", "--wallet", "w", "--to", "\(Self.stranger)=0.0015btc", "--fee-rate", "2", "--note", "rent"
        ).succeeded().json()
        let id = try created.text("id")
        for key in ["state", "psbt", "fee_sat", "vsize", "inputs", "outputs", "warnings"] {
            #expect(created[key] != nil, "\(key)")
        }
        #expect(try created.text("state") == "unsigned" && created.text("wallet") == "w")
        let rate = Double(try created.field("fee_sat", as: Int.self)) / Double(try created.field("vsize", as: Int.self))
        #expect((1.99...2.02).contains(rate))
        // Everywhere the network is named; the store knows it where nobody says it.
        try await place("wallet", "sync", "w").succeeded()
        let wallet = try await place.workshop.tapkit("wallet", "show", "w", "--offline").succeeded().text
        #expect(wallet.contains("0.00300000 regtest BTC"), "\(wallet)")
        let review = try await place.workshop.tapkit("tx", "sign", id, environment: ["TAPKIT_CVC_FILE": nil])
        #expect(review.errorText.contains("regtest BTC to \(Self.stranger)"), "\(review.errorText)")
        #expect(
            try created.field("inputs", as: [[String: Any]].self).allSatisfy { $0["amount_proven"] as? Bool == true })
        try await place("tx", "broadcast", id).expectFailure(65, "not_complete")
        let signed = try await place("tx", "sign", id, "--yes").succeeded().json()
        #expect(signed["complete"] as? Bool == true)
        let sent = try await place("tx", "broadcast", id).succeeded().json()
        #expect(try sent.text("txid") == signed.text("txid"))
        // Sent once more it is the same.
        #expect(try await place("tx", "broadcast", id).succeeded().json().text("txid") == sent.text("txid"))
        #expect(try await place("tx", "show", id).succeeded().json().text("state") == "sent")
        let shown = try await place("wallet", "show", "w").succeeded().json()
        let fee = try created.field("fee_sat", as: Int.self)
        let sum = try shown.field("confirmed_sat", as: Int.self) + shown.field("unconfirmed_sat", as: Int.self)
        #expect(sum == 150_000 - fee)

        try await Judges.expectValid(signed)
        try await place("tx", "bump", id, "--fee-rate", "2").expectFailure(65, "cannot_bump")
        let bumped = try await place("tx", "bump", id, "--fee-rate", "9").succeeded().json()
        #expect(try bumped.text("replaces") == id)
        let newID = try bumped.text("id")
        try await Judges.expectValid(try await place("tx", "sign", newID, "--yes").succeeded().json())
        let replaced = try await place("tx", "broadcast", newID).succeeded().json()
        try await place.chain.mine(6)
        let history = try await place("wallet", "history", "w").succeeded().json()
        let newest = try #require(history.field("transactions", as: [[String: Any]].self).first)
        #expect(try newest.text("txid") == replaced.text("txid"))
        #expect(newest["confirmations"] as? Int == 6)
        // Both are kept, and what became of them is told.
        let listed = try await place("tx", "list").succeeded().json().field("transactions", as: [[String: Any]].self)
        #expect(try listed.map { try $0.text("id") } == [newID, id])
        #expect(try listed.map { try $0.text("state") } == ["confirmed", "replaced"])
        #expect(listed.map { $0["confirmations"] as? Int } == [6, 0])
        #expect(try listed[1].text("replaced_by") == replaced.text("txid"))
        #expect(listed.allSatisfy { $0["sent_sat"] as? Int == 150_000 && $0["payees"] as? [String] == [Self.stranger] })
        for (verb, code) in [("sign", "already_confirmed"), ("broadcast", "already_confirmed")] {
            try await place("tx", verb, newID, "--yes").expectFailure(65, code)
        }
        try await place("tx", "bump", newID, "--fee-rate", "30").expectFailure(65, "already_confirmed")
        try await place("tx", "bump", id, "--fee-rate", "30").expectFailure(65, "already_replaced")
        try await place("tx", "broadcast", id).expectFailure(65, "already_replaced")
        // Its signatures are still there.
        #expect(try await place("tx", "show", id).succeeded().json()["tx"] != nil)
    }

    @Test func twoProcessesNeverSpendTheSameCoin() async throws {
        let place = try await fundedWallet(coins: 6)
        try await place("wallet", "sync", "w").succeeded()
        let answers = try await withThrowingTaskGroup(of: Subprocess.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    try await place(
                        "tx", "create", "--wallet", "w", "--to", "\(Self.stranger)=30000sat", "--fee-rate", "20",
                        "--offline")
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        var spent: [String] = []
        for answer in answers {
            let inputs = try answer.succeeded().json().field("inputs", as: [[String: Any]].self)
            spent += try inputs.map { try $0.text("outpoint") }
        }
        #expect(Set(spent).count == spent.count && spent.count == 6)
        let failure = try await place(
            "tx", "create", "--wallet", "w", "--to", "\(Self.stranger)=30000sat", "--fee-rate", "1", "--offline")
        try failure.expectFailure(65, "insufficient_funds")
        #expect(try failure.hint().contains("tx delete"))
        let listed = try await place("tx", "list").succeeded().json().field("transactions", as: [[String: Any]].self)
        try await place("tx", "delete", try #require(listed.first).text("id"), "--yes").succeeded()
        try await place(
            "tx", "create", "--wallet", "w", "--to", "\(Self.stranger)=30000sat", "--fee-rate", "1", "--offline"
        ).succeeded()
    }

    @Test func coinControlAndDraining() async throws {
        let place = try await fundedWallet(coins: 3)
        let shown = try await place("wallet", "sync", "w").succeeded().json()
        let coins = try shown.field("utxos", as: [[String: Any]].self).map { try $0.text("outpoint") }
        let named = try await place(
            "tx", "create", "--wallet", "w", "--to", "\(Self.stranger)=1000sat", "--coin", coins[1], "--fee-rate", "1",
            "--psbt-version", "2", "--order", "bip69", "-o", "tx.psbt"
        ).succeeded().json()
        #expect(try named.field("inputs", as: [[String: Any]].self).map { try $0.text("outpoint") } == [coins[1]])
        #expect(named["psbt_version"] as? Int == 2)
        #expect(try place.workshop.psbt("tx.psbt").version == .v2)
        try await place(
            "tx", "create", "--wallet", "w", "--to", "\(Self.stranger)=1000sat", "--coin", coins[1], "--fee-rate", "1"
        ).expectFailure(65, "coins_taken")
        try await place(
            "tx", "create", "--wallet", "w", "--to", "\(Self.stranger)=1000sat", "--coin", "7:7", "--fee-rate", "1"
        ).expectFailure(65, "no_such_coin")
        try await place(
            "tx", "create", "--wallet", "w", "--to", "\(Self.stranger)=100sat", "--fee-rate", "1"
        ).expectFailure(65, "dust")
        try await place("tx", "create", "--wallet", "w", "--to", Self.stranger, "--drain").expectFailure(
            65, "fee_needed")
        let rate = try #require(FeeRate(satoshisPerKiloVirtualByte: 4_000))
        #expect(try await place.chain.learn(rate) == rate)
        let drained = try await place(
            "tx", "create", "--wallet", "w", "--to", Self.stranger, "--drain", "--target", "6"
        )
        .succeeded().json()
        let outputs = try drained.field("outputs", as: [[String: Any]].self)
        #expect(outputs.count == 1)
        #expect(outputs[0]["amount_sat"] as? Int == 200_000 - (try drained.field("fee_sat", as: Int.self)))
        #expect(try drained.field("fee_sat", as: Int.self) == 4 * drained.field("vsize", as: Int.self))
    }

    /// The file of an earlier payment makes room for the next one if nothing is lost with it.
    @Test func aFileThatTheStoreKeepsIsReplaced() async throws {
        let place = try await fundedWallet(coins: 3)
        func create(_ amount: Int) async throws -> Subprocess {
            try await place(
                "tx", "create", "--wallet", "w", "--to", "\(Self.stranger)=\(amount)sat", "--fee-rate", "1", "-o",
                "tx.psbt")
        }
        let first = try await create(30_000).succeeded().json()
        let second = try await create(31_000).succeeded().json().text("id")
        #expect(try first.text("id") != second)
        #expect(try place.workshop.psbt("tx.psbt").unsignedTransaction.id.description == second)
        try await place("tx", "delete", second, "--yes").succeeded()
        try await create(32_000).expectFailure(73, "would_overwrite")
        #expect(try place.workshop.psbt("tx.psbt").unsignedTransaction.id.description == second)
    }

    @Test func whatWasDrainedIsReplacedOutOfWhatItPays() async throws {
        let place = try await fundedWallet(coins: 2)
        let id = try await place("tx", "create", "--wallet", "w", "--to", Self.stranger, "--drain", "--fee-rate", "1")
            .succeeded().json().text("id")
        try await place("tx", "sign", id, "--yes").succeeded()
        try await place("tx", "broadcast", id).succeeded()
        let bumped = try await place("tx", "bump", id, "--fee-rate", "5").succeeded().json()
        let outputs = try bumped.field("outputs", as: [[String: Any]].self)
        #expect(outputs.count == 1)
        #expect(try outputs[0].text("address") == Self.stranger)
        #expect(outputs[0]["amount_sat"] as? Int == 200_000 - (try bumped.field("fee_sat", as: Int.self)))
        try await place("tx", "sign", bumped.text("id"), "--yes").succeeded()
        try await place("tx", "broadcast", bumped.text("id")).succeeded()
    }

    @Test func aSnapshotOfAnotherNetworkIsNotBelieved() async throws {
        let place = try await fundedWallet(coins: 1)
        try await place("wallet", "sync", "w").succeeded()
        let offline = try await place("wallet", "show", "w", "--offline").succeeded().json()
        #expect(offline["confirmed_sat"] as? Int == 100_000)
        let signet: [String: String?] = ["TAPKIT_NETWORK": "signet", "TAPKIT_CHAIN": nil]
        let other = try await place("wallet", "show", "w", changes: signet).succeeded().json()
        #expect(other["confirmed_sat"] == nil)
        try await place(
            "tx", "create", "--wallet", "w", "--to", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx=5000sat", "--fee-rate",
            "1", changes: signet
        ).expectFailure(69, "no_chain_server")
        try await place("wallet", "sync", "w", changes: ["TAPKIT_NETWORK": "signet"])
            .expectFailure(65, "chain_wrong_network")
    }

    @Test func aServersFeeIsBounded() async throws {
        let place = try await fundedWallet(coins: 2)
        try await place.chain.learn(try #require(FeeRate(satoshisPerKiloVirtualByte: 501_000)))
        let refused = try await place("tx", "create", "--wallet", "w", "--to", "\(Self.stranger)=5000sat")
        try refused.expectFailure(65, "fee_too_high")
        #expect(try refused.hint().contains("--fee-rate 501"))
    }

    @Test(arguments: [false, true]) func whatTheSlotsHold(core: Bool) async throws {
        let place = try await place(try await Workshop.satscard("--used-slots", "2"), core: core)
        for slot in 1...3 {
            let address = try await place("address", "--slot", "\(slot)").succeeded().json().text("address")
            try await place.fund(address, slot * 10_000)
            if slot == 2 { try await place.chain.mine() }
        }
        let held = try await place("slots", "--balance", changes: ["TAPKIT_CVC_FILE": nil]).succeeded().json()
        let slots = try held.field("slots", as: [[String: Any]].self)
        #expect(slots.prefix(3).map { $0["confirmed_sat"] as? Int } == [10_000, 20_000, 0])
        #expect(slots.prefix(3).map { $0["unconfirmed_sat"] as? Int } == [0, 0, 30_000])
        #expect(slots.prefix(3).allSatisfy { ($0["utxos"] as? [Any])?.count == 1 })
        #expect(slots.dropFirst(3).allSatisfy { $0["confirmed_sat"] == nil && $0["address"] == nil })
        #expect(held["total_sat"] as? Int == 60_000)
        let words = try await place.workshop.tapkit(
            "slots", "--balance",
            environment: ["TAPKIT_NETWORK": "regtest", "TAPKIT_CHAIN": place.server, "TAPKIT_CVC_FILE": nil]
        ).succeeded()
        #expect(words.text.hasSuffix("Unsealed slots hold money. Next: tapkit sweep --to ADDRESS\n"))
    }

    @Test func aSweepSaysEverythingBeforeItOpens() async throws {
        let place = try await place(try await Workshop.satscard("--used-slots", "1"))
        func address(_ slot: Int) async throws -> String {
            try await place("address", "--slot", "\(slot)").succeeded().json().text("address")
        }
        let (opened, sealed) = (try await address(1), try await address(2))
        func sweep(_ arguments: String...) async throws -> Subprocess {
            try await place.workshop.tapkit(
                ["sweep", "--yes", "--json"] + arguments,
                environment: ["TAPKIT_NETWORK": "regtest", "TAPKIT_CHAIN": place.server])
        }
        try await sweep("--to", Self.stranger, "--fee-rate", "1").expectFailure(65, "nothing_to_sweep")
        try await place.fund(sealed, 50_000)
        try await sweep("--to", Self.stranger, "--all", "--fee-rate", "1").expectFailure(65, "nothing_to_sweep")
        try await place.chain.mine()
        let refusals: [(arguments: [String], code: String)] = [
            (["--to", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "--all"], "wrong_network"),
            (["--to", "\(Self.stranger)=5sat", "--all"], "usage"),
            (["--to", opened, "--all"], "slot_opened"), (["--to", sealed, "--all"], "slot_opened"),
            (["--to", Self.stranger, "--all", "--fee-rate", "400"], "fee_too_high"),
            (["--to", Self.stranger, "--all", "--fee-rate", "900"], "fee_too_high"),
            (["--to", Self.stranger, "--slot", "9"], "slot_unused"),
            (["--to", Self.stranger, "--slot", "11"], "no_such_slot"),
            (["--to", Self.stranger, "--all"], "fee_needed"),
        ]
        for (arguments, code) in refusals {
            let rate = arguments.contains("--fee-rate") || code == "fee_needed" ? [] : ["--fee-rate", "1"]
            let failure = try await place.workshop.tapkit(
                ["sweep", "--yes", "--json"] + arguments + rate,
                environment: ["TAPKIT_NETWORK": "regtest", "TAPKIT_CHAIN": place.server])
            try failure.expectFailure(code == "usage" ? 64 : 65, code)
        }
        let asked = try await place.workshop.tapkit(
            "sweep", "--json", "--to", Self.stranger, "--all", "--fee-rate", "1",
            environment: ["TAPKIT_NETWORK": "regtest", "TAPKIT_CHAIN": place.server])
        try asked.expectFailure(64, "confirmation_needed")
        let states = try await place("slots").succeeded().json().field("slots", as: [[String: Any]].self)
        #expect(try states.prefix(2).map { try $0.text("state") } == ["unsealed", "sealed"])
        // Into the sealed slot, from the opened one.
        try await place.fund(opened, 20_000)
        try await place.chain.mine()
        let saved = try await sweep("--to", sealed, "--fee-rate", "1").succeeded().json()
        #expect(saved["complete"] as? Bool == true && saved["sent"] == nil)
        let id = try saved.text("id")
        try await sweep("--to", Self.stranger, "--fee-rate", "1").expectFailure(65, "coins_taken")
        try await place("tx", "broadcast", id).succeeded()
        try await place.chain.mine()
        try await Judges.expectValid(saved)
        let last = try await sweep("--to", Self.stranger, "--all", "--fee-rate", "1", "--broadcast").succeeded()
        #expect(last.errorText.contains("WARNING: The card sent the key of slot 2 UNENCRYPTED"), "\(last.errorText)")
        let all = try last.json()
        #expect(all["sent"] as? Bool == true)
        #expect(try all.field("inputs", as: [Any].self).count == 2)
        try await place.chain.mine()
        #expect(try await place("slots", "--balance").succeeded().json()["total_sat"] as? Int == 0)
        // Of no wallet; the slots' own addresses tell what became of them.
        let sweeps = try await place("tx", "list").succeeded().json().field("transactions", as: [[String: Any]].self)
        #expect(try sweeps.map { try $0.text("state") } == ["confirmed", "confirmed"])
        #expect(sweeps.map { $0["confirmations"] as? Int } == [1, 2])
    }

    @Test func aStoredSweepIsGoneOnWithOnlyWhenItIsTheSame() async throws {
        let place = try await place(try await Workshop.satscard("--used-slots", "2"))
        func address(_ slot: Int) async throws -> String {
            try await place("address", "--slot", "\(slot)").succeeded().json().text("address")
        }
        try await place.fund(address(1), 30_000)
        try await place.chain.mine()
        func sweep(_ arguments: String...) async throws -> Subprocess {
            try await place.workshop.tapkit(
                ["sweep", "--to", Self.stranger, "--yes", "--json"] + arguments,
                environment: ["TAPKIT_NETWORK": "regtest", "TAPKIT_CHAIN": place.server])
        }
        let first = try await sweep("--fee-rate", "1").succeeded().json()
        let id = try first.text("id")
        #expect(try await sweep("--fee-rate", "1").succeeded().json().text("id") == id)
        #expect(try await sweep().succeeded().json().text("id") == id)
        // It is signed: another fee, or more coins, would be another transaction.
        let other = try await sweep("--fee-rate", "7")
        try other.expectFailure(65, "coins_taken")
        #expect(try other.hint().contains("tx delete"))
        try await place.fund(address(2), 40_000)
        try await place.chain.mine()
        try await sweep("--fee-rate", "1").expectFailure(65, "coins_taken")
        try await sweep("--all", "--fee-rate", "1").expectFailure(65, "coins_taken")
        try await place("tx", "delete", id, "--yes").succeeded()
        let both = try await sweep("--fee-rate", "1").succeeded().json()
        #expect(try both.field("inputs", as: [Any].self).count == 2)
        #expect(both["missing"] as? Int == 0)
        #expect((both["signed_by"] as? [String])?.count == 2)
        let signers = try both.field("signers", as: [[String: Any]].self)
        #expect(signers.first?["slots"] as? [Int] == [1, 2])

        // A sweep that is stuck is replaced out of what it pays, and signed by the same card.
        let stuck = try both.text("id")
        try await place("tx", "broadcast", stuck).succeeded()
        let bumped = try await place("tx", "bump", stuck, "--fee-rate", "6").succeeded().json()
        let signed = try await place("tx", "sign", bumped.text("id"), "--yes").succeeded().json()
        try await Judges.expectValid(signed)
        try await place("tx", "broadcast", bumped.text("id")).succeeded()
    }

    /// A payment link's text stays in its line, whatever it would like to say beside it.
    @Test func aLinksLabelForgesNoLine() async throws {
        let place = try await fundedWallet(coins: 1)
        let link = "bitcoin:\(Self.stranger)?amount=0.0001&label=Rent%0AYou%20pay%200.5%20BTC%20to%20nobody"
        let id = try await place("tx", "create", "--wallet", "w", "--to", link, "--fee-rate", "1").succeeded().json()
            .text("id")
        let shown = try await place.workshop.tapkit(
            "tx", "show", id, environment: ["TAPKIT_NETWORK": "regtest"]
        ).succeeded().text
        #expect(shown.split(separator: "\n").count { $0.hasPrefix("You pay") } == 1)
        #expect(shown.contains("Rent"))
    }

    /// An opening whose key was never shown stands in no later slot's way.
    @Test func anUnfinishedOpeningDoesNotKeepFromSweeping() async throws {
        let place = try await place(try await Workshop.satscard())
        let unseal = try await Subprocess.run(
            "/bin/sh", ["-c", "exec \"$0\" unseal --yes > /dev/full", Subprocess.tapkit],
            environment: place.workshop.environment, directory: place.workshop.folder.url)
        #expect(unseal.ending == .exited(73), "\(unseal.errorText)")
        try await place("setup").succeeded()
        let address = try await place("address").succeeded().json().text("address")
        try await place.fund(address, 30_000)
        try await place.chain.mine()
        let swept = try await place(
            "sweep", "--to", Self.stranger, "--slot", "2", "--fee-rate", "1", "--yes", "--broadcast", "-o", "swept.psbt"
        ).succeeded().json()
        #expect(swept["complete"] as? Bool == true && swept["sent"] as? Bool == true)
        #expect(try place.workshop.psbt("swept.psbt").isFinalized)
    }
}
