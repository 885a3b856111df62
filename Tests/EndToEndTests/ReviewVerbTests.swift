import Foundation
import TestSupport
import Testing

/// `tapkit review`: what a PSBT does, without card, CVC or store.
@Suite struct ReviewVerbTests {
    @Test func aFileIsLookedAtAndNothingIsStored() async throws {
        let workshop = try await Workshop()
        let psbt = try await workshop.writePSBT()
        let nobody: [String: String?] = [
            "TAPKIT_READER": "sim:nowhere", "TAPKIT_CVC_FILE": "nowhere", "TAPKIT_DATA_DIR": "no-store",
        ]
        let run = try await workshop.tapkit("review", "tx.psbt", environment: nobody).succeeded()
        #expect(run.text.hasPrefix("You pay 0.00090000 test BTC to tb1q"))
        #expect(run.text.contains("Change, as the file claims: 0.00009000 test BTC"))
        let answer = try await workshop.tapkit("review", "tx.psbt", "--json", environment: nobody).succeeded().json()
        #expect(try answer.text("id") == psbt.unsignedTransaction.id.description)
        #expect(try answer.field("fee_sat") == 1_000 && answer.field("sent_sat") == 99_000)
        #expect(try answer.field("inputs", as: [[String: Any]].self).count == 1)
        #expect(try answer.field("outputs", as: [[String: Any]].self).map { $0["change"] as? Bool } == [false, false])
        #expect(answer["findings"] is [Any])
        #expect(!FileManager.default.fileExists(atPath: workshop.folder.path("no-store")))
    }

    /// The accounts that the card has proven to the store prove what comes back; a look adds nothing to it.
    @Test func whatTheStoreKnowsIsProven() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT(as: .base64)
        try await workshop.tapkit("xpub").succeeded()
        let run = try await workshop.tapkit(
            "review", "-", "--json", input: Data(try workshop.bytes("tx.psbt")),
            environment: ["TAPKIT_READER": "sim:nowhere"]
        ).succeeded()
        let answer = try run.json()
        #expect(try answer.field("sent_sat") == 90_000)
        let outputs = try answer.field("outputs", as: [[String: Any]].self)
        #expect(outputs.map { $0["change_proven"] as? Bool } == [false, true])
        let list = try await workshop.tapkit("tx", "list", "--json").succeeded().json()
        #expect(try list.field("transactions", as: [Any].self).isEmpty)
    }

    /// Signing alone shows the store whose change it is, and its signatures count; which of them a file lacks is said. What
    /// tapkit finished names no keys any more: the store's own copy does.
    @Test func whatWasSignedIsRecognized() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        try await workshop.tapkit("sign", "tx.psbt", "--yes").succeeded()
        for (file, stored) in [("tx.psbt", 1), ("tx.signed.psbt", 0)] {
            let answer = try await workshop.tapkit("review", file, "--json").succeeded().json()
            #expect(try answer.field("stored_signatures") == stored && answer.field("missing") == 0, "\(file)")
            let outputs = try answer.field("outputs", as: [[String: Any]].self)
            #expect(outputs.map { $0["change_proven"] as? Bool } == [false, true], "\(file)")
            let text = try await workshop.tapkit("review", file).succeeded().text
            #expect(text.contains("Change: 0.00009000 test BTC back to this wallet"), "\(file)")
            #expect(text.contains("1 of these signatures is only in the local store") == (stored == 1), "\(file)")
        }
        let shown = try await workshop.tapkit("tx", "list", "--json").succeeded().json()
        let listed = try shown.field("transactions", as: [[String: Any]].self)
        #expect(listed.map { $0["sent_sat"] as? Int } == [90_000])
    }

    @Test func whatIsNoPSBTIsRefused() async throws {
        let workshop = try await Workshop(isSetUp: false)
        try workshop.folder.write("nonsense", to: "tx.psbt")
        try await workshop.tapkit("review", "tx.psbt", "--json").expectFailure(65, "bad_psbt")
        try await workshop.tapkit("review", "none", "--json").expectFailure(66, "no_input_file")
    }
}
