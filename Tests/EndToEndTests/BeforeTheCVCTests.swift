import Foundation
import TestSupport
import Testing

/// What is known of a card without its CVC is said before anybody is asked for one.
@Suite struct BeforeTheCVCTests {
    private static let nobody: [String: String?] = ["TAPKIT_CVC_FILE": nil]

    @Test(arguments: [
        ["xpub"], ["export", "descriptors"], ["export", "bsms"], ["derive", "m/84h/1h/1h"], ["message", "sign", "x"],
        ["wallet", "add", "w"], ["wallet", "add", "w", "--threshold", "1"], ["backup"], ["change-cvc"],
    ])
    func aCardWithoutAKeySaysSo(_ arguments: [String]) async throws {
        let workshop = try await Workshop(isSetUp: false)
        let run = try await workshop.tapkit(arguments + ["--json"], environment: Self.nobody)
        try run.expectFailure(65, "not_set_up")
        #expect(try run.hint().contains("tapkit setup"))
    }

    /// A card that is not genuine, or for another network, is refused before its CVC is asked for.
    @Test(arguments: ["tapsigner", "satscard"]) func aCardThatWillNotBeSetUpSaysSo(_ product: String) async throws {
        let workshop = try await Workshop(
            isSetUp: false, ["--product", product, "--unlucky", "0"], cvc: Workshop.satscardCVC)
        let stranger = Self.nobody.merging(["TAPKIT_ROOT_KEY": nil]) { $1 }
        try await workshop.tapkit("setup", "--json", environment: stranger).expectFailure(76, "not_genuine")
        try await workshop.tapkit("setup", "--json", "--network", "main", environment: Self.nobody)
            .expectFailure(65, "wrong_network")
    }

    @Test func aCardWithoutAKeySignsNothing() async throws {
        let (workshop, other) = (try await Workshop(isSetUp: false), try await Workshop())
        try await other.writePSBT(inputs: 1, on: .shared())
        try await workshop.tapkit("sign", other.folder.path("tx.psbt"), "--json", environment: Self.nobody)
            .expectFailure(65, "not_set_up")
    }

    @Test(arguments: [("1", "slot_sealed"), ("2", "slot_unused"), ("11", "no_such_slot")])
    func aSlotThatCannotSignSaysSo(_ slot: String, _ code: String) async throws {
        let workshop = try await Workshop.satscard()
        try await workshop.tapkit("message", "sign", "x", "--slot", slot, "--json", environment: Self.nobody)
            .expectFailure(65, code)
    }

    /// Where there are no keys, nobody is asked whether to show them.
    @Test func aCardWithoutUnsealedSlotsHasNoKeysToShow() async throws {
        let workshop = try await Workshop.satscard()
        let shown = try await workshop.tapkit("slots", "--show-keys", environment: Self.nobody).succeeded()
        #expect(shown.errorText.contains("No slot is unsealed, so there are no keys to show."))
        #expect(shown.text.contains("sealed    tb1") || shown.text.contains("sealed  tb1"), "\(shown.text)")
    }

    /// What a missing server would be asked about is looked at first: another server is no help then.
    @Test func aMissingServerIsNamedLast() async throws {
        let (signer, satscard) = (try await Workshop(), try await Workshop.satscard())
        let sweep = ["sweep", "--to", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "--json"]
        try await signer.tapkit(sweep, environment: Self.nobody).expectFailure(65, "not_supported")
        try await satscard.tapkit(sweep, environment: Self.nobody).expectFailure(65, "nothing_to_sweep")
        try await satscard.tapkit(sweep + ["--slot", "3"], environment: Self.nobody).expectFailure(65, "slot_unused")
        try await satscard.tapkit(sweep + ["--all"], environment: Self.nobody).expectFailure(69, "no_chain_server")

        let psbt = try await signer.writePSBT()
        try await signer.tapkit("tx", "import", "tx.psbt").succeeded()
        let id = psbt.unsignedTransaction.id.description
        try await signer.tapkit("tx", "broadcast", id, "--json").expectFailure(65, "not_complete")
        try await signer.tapkit("sign", "tx.psbt", "--yes").succeeded()
        try await signer.tapkit("tx", "broadcast", id, "--json").expectFailure(69, "no_chain_server")
    }

    /// A path of the other kind of network is warned about, and what it means is said.
    @Test func aPathOfAnotherNetworkIsWarnedAbout() async throws {
        let workshop = try await Workshop()
        let foreign = try await workshop.tapkit("derive", "m/84h/0h/3h").succeeded().errorText
        #expect(foreign.contains("m/84h/0h/3h is a path for bitcoin, but this card is for the test networks."))
        #expect(foreign.contains("at m/84h/1h/3h"))
        for path in ["m/84h/1h/0h", "m/84h", "m/84h/7h/0h"] {
            let fitting = try await workshop.tapkit("derive", path).succeeded().errorText
            #expect(!fitting.contains("is a path for"), "\(path): \(fitting)")
        }
    }

    /// A card that is ready is not changed without a word; what is done already is done.
    @Test func setupLeavesAReadyCardAsItIs() async throws {
        let workshop = try await Workshop()
        try workshop.folder.write("314159265358", to: "new")
        let again = try await workshop.tapkit("setup", "--json").succeeded().json()
        #expect(try again.field("cvc_changed", as: Bool.self) == false && again["backup_file"] == nil)
        #expect(try await workshop.tapkit("status", "--json").json()["backups"] as? Int == 1)
        #expect(try await workshop.tapkit("setup").succeeded().text.contains("CVC: unchanged"))

        // Without a terminal, what was asked for is said and done.
        let moved = try await workshop.tapkit("setup", "--path", "m/84h/1h/5h", "--json").succeeded()
        #expect(moved.errorText.contains("m/84h/1h/0h") && moved.errorText.contains("will move it to m/84h/1h/5h"))
        #expect(try await workshop.cardPath() == "m/84h/1h/5h")
        let change = ["setup", "--new-cvc-file", "new", "--json"]
        let changed = try await workshop.tapkit(change).succeeded()
        #expect(changed.errorText.contains("will change its CVC"))
        #expect(try changed.json().field("cvc_changed", as: Bool.self))
        // Interrupted, or not: the same command once more.
        try await workshop.tapkit(change).succeeded()
        try await workshop.tapkit("xpub", "--cvc-file", "new").succeeded()
    }
}
