import Bitcoin
import Foundation
import TestSupport
import Testing

/// What becomes of transactions on a real node's chain, and the lists that tell of it.
@Suite struct StandingVerbTests {
    private func place() async throws -> ChainPlace {
        let place = try await ChainPlace(try await Workshop())
        try await place("wallet", "add", "w").succeeded()
        let address = try await place("wallet", "receive", "w").succeeded().json().text("address")
        try await place.fund(address, 100_000)
        return place
    }

    private func sent(_ place: ChainPlace) async throws -> (id: String, txid: String) {
        let id = try await place(
            "tx", "create", "--wallet", "w", "--to", "\(ChainPlace.stranger)=30000sat", "--fee-rate", "2", "--note",
            "rent"
        ).succeeded().json().text("id")
        try await place("tx", "sign", id, "--yes").succeeded()
        return (id, try await place("tx", "broadcast", id).succeeded().json().text("txid"))
    }

    private func listed(_ place: ChainPlace) async throws -> [String: Any] {
        try await place("wallet", "sync", "w").succeeded()
        let all: [[String: Any]] = try await place("tx", "list").succeeded().json().field("transactions")
        return try #require(all.first)
    }

    /// A block that the chain takes back makes a payment one that was sent again.
    @Test func whatTheChainTakesBackIsSentAgain() async throws {
        let place = try await place()
        let (id, _) = try await sent(place)
        #expect(try await listed(place).text("state") == "sent")
        try await place.chain.mine(2)
        let confirmed = try await listed(place)
        #expect(try confirmed.text("state") == "confirmed" && confirmed.field("confirmations") == 2)
        #expect(try confirmed.field("height") == (try await place.chain.height()) - 1)
        let table = try await place.workshop.tapkit("tx", "list").succeeded().text
        for part in [id, "confirmed 2", "0.00030000 regtest BTC", "rent"] { #expect(table.contains(part), "\(table)") }
        try await place("tx", "broadcast", id).expectFailure(65, "already_confirmed")
        try await place.chain.reorganize(depth: 2)
        let back = try await listed(place)
        #expect(try back.text("state") == "sent" && back["height"] == nil && back.field("confirmations") == 0)
        try await place("tx", "broadcast", id).succeeded()
        try await place.chain.mine()
        #expect(try await listed(place).field("confirmations") == 1)
    }

    /// A node without its wallet only knows unspent outputs. What replaced a payment, what left nothing, and what belongs
    /// to no wallet is followed, too.
    @Test func aNodeWithoutAWalletTellsWhatBecameOfPayments() async throws {
        let place = try await place()
        let core: [String: String?] = ["TAPKIT_CHAIN": place.chain.coreServer()]
        func states() async throws -> [[String: Any]] {
            try await place("wallet", "sync", "w", changes: core).succeeded()
            return try await place("tx", "list").succeeded().json().field("transactions")
        }
        let (old, _) = try await sent(place)
        let new = try await place("tx", "bump", old, "--fee-rate", "9").succeeded().json().text("id")
        try await place("tx", "sign", new, "--yes").succeeded()
        let replacement = try await place("tx", "broadcast", new, changes: core).succeeded().json().text("txid")
        try await place.chain.mine()
        let replaced = try await states()
        #expect(try replaced.map { try $0.text("id") } == [new, old])
        #expect(try replaced.map { try $0.text("state") } == ["confirmed", "replaced"])
        #expect(try replaced[1].text("replaced_by") == replacement)

        // Blocks have their dates, too.
        let history: [[String: Any]] = try await place("wallet", "history", "w", changes: core).succeeded().json()
            .field("transactions")
        #expect(!history.isEmpty)
        for entry in history {
            let seconds: Double = try entry.field("time")
            #expect(abs(seconds - Date().timeIntervalSince1970) < 86_400)
        }

        // Nothing comes back to the wallet, which is not there any more, either.
        let refused = try await place(
            "tx", "create", "--wallet", "w", "--to", ChainPlace.stranger, "--drain", "--fee-rate", "2", "--yes",
            changes: core)
        try refused.expectFailure(65, "not_accepted")
        for state in [
            "which has 1 confirmation so far, ", "its replacement \(replacement) has 1 confirmation so far, ",
        ] {
            #expect(refused.errorText.contains(state), "\(refused.errorText)")
        }
        let drained = try await place(
            "tx", "create", "--wallet", "w", "--to", ChainPlace.stranger, "--drain", "--fee-rate", "2", "--yes",
            "--accept", "address_already_paid", changes: core
        ).succeeded().json().text("id")
        // Who signs it is asked as well: what was accepted is not taken from the store.
        let unsigned = try await place("tx", "sign", drained, "--yes")
        try unsigned.expectFailure(65, "not_accepted")
        #expect(unsigned.text.contains("address_already_paid"), "\(unsigned.text)")
        try await place("tx", "sign", drained, "--yes", "--accept", "address_already_paid").succeeded()
        try await place("tx", "broadcast", drained, changes: core).succeeded()
        #expect(try await states()[0].text("state") == "sent")
        try await place.chain.mine()
        #expect(try await states()[0].text("state") == "confirmed")
        try await place.chain.reorganize(depth: 1)
        #expect(try await states()[0].text("state") == "sent")
        try await place("wallet", "remove", "w", "--yes").succeeded()
        try await place.chain.mine()
        #expect(
            try await place("tx", "show", drained, "--offline", changes: core).succeeded().json().text("state")
                == "sent")
        let unreachable = try await place(
            "tx", "show", drained, changes: ["TAPKIT_CHAIN": "core:http://a:b@127.0.0.1:1"])
        #expect(try unreachable.succeeded().json().text("state") == "sent")
        #expect(unreachable.errorText.contains("may be out of date"))
        let shown = try await place("tx", "show", drained, changes: core).succeeded().json()
        #expect(try shown.text("state") == "confirmed")
        try await place("tx", "broadcast", drained, changes: core).expectFailure(65, "already_confirmed")
    }

    @Test func listsTellOfTheMoney() async throws {
        let place = try await place()
        let (_, txid) = try await sent(place)
        try await place.chain.mine()
        try await place("wallet", "sync", "w").succeeded()
        let wallets: [[String: Any]] = try await place("wallet", "list").succeeded().json().field("wallets")
        let wallet = try #require(wallets.first)
        let balance: Int = try wallet.field("confirmed_sat")
        #expect((69_000..<70_000).contains(balance) && wallet["unconfirmed_sat"] as? Int == 0)
        #expect(try wallet.text("synced_at").hasSuffix("Z") && wallet.field("synced", as: Int.self) > 1_700_000_000)
        let table = try await place.workshop.tapkit("wallet", "list").succeeded().text
        #expect(table.contains("CONFIRMED") && table.contains("just now"), "\(table)")

        let history: [[String: Any]] = try await place("wallet", "history", "w").succeeded().json()
            .field("transactions")
        let entry = try #require(history.first)
        #expect(try entry.text("txid") == txid && entry.field("payees") == [ChainPlace.stranger])
        let seconds: Double = try entry.field("time")
        #expect(abs(seconds - Date().timeIntervalSince1970) < 86_400)
        #expect(try entry.text("time_at").wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
        let csv = try await place.workshop.tapkit(
            "wallet", "history", "w", "--csv", "--offline", environment: ["TAPKIT_NETWORK": "regtest"]
        ).succeeded().text
        let rows = csv.components(separatedBy: "\r\n")
        #expect(rows[0].hasPrefix("date,height,confirmations,txid,") && rows.count == history.count + 2)
        #expect(rows[1].contains(txid) && rows[1].contains("-3"))
        try await place("wallet", "history", "w", "--csv").expectFailure(64, "usage")
    }

    /// A file from elsewhere finds the wallet whose coins it spends, and its change is known.
    @Test func anImportedFileFindsItsWallet() async throws {
        let place = try await place()
        let created = try await place(
            "tx", "create", "--wallet", "w", "--to", "\(ChainPlace.stranger)=30000sat", "--fee-rate", "2", "-o",
            "tx.psbt"
        ).succeeded().json()
        let id = try created.text("id")
        try await place("tx", "delete", id, "--yes").succeeded()
        let imported = try await place("tx", "import", "tx.psbt").succeeded().json()
        #expect(try imported.text("id") == id && imported.text("wallet") == "w" && imported.field("sent_sat") == 30_000)
        let outputs: [[String: Any]] = try imported.field("outputs")
        #expect(outputs.count { $0["change_proven"] as? Bool == true } == 1)
        // Without the wallet, what the card proved when it signed tells its change.
        try await place("tx", "sign", id, "--yes").succeeded()
        try await place("wallet", "remove", "w", "--yes").succeeded()
        let alone = try await place("tx", "show", id).succeeded().json()
        #expect(alone["wallet"] == nil)
        #expect(
            try alone.field("outputs", as: [[String: Any]].self).count { $0["change_proven"] as? Bool == true } == 1)
    }
}
