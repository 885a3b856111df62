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
        // That slot 1 is sealed only the card's proofs tell, behind the CVC.
        let environment = slot == "1" ? [:] : Self.nobody
        try await workshop.tapkit("message", "sign", "x", "--slot", slot, "--json", environment: environment)
            .expectFailure(65, code)
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
