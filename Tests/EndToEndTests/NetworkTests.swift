import Foundation
import TestSupport
import Testing

/// `--network`: the test networks share a card; a card of another network than the one asked for is not used.
@Suite struct NetworkTests {
    private static let satscardVerbs = [
        ["status"], ["verify"], ["slots"], ["address"], ["url"], ["setup"], ["unseal", "--yes"],
        ["message", "sign", "x"],
    ]
    private static let signerVerbs = [
        ["status"], ["verify"], ["url"], ["setup", "--keep-cvc"], ["xpub"], ["derive", "m/49h"], ["backup"],
        ["export", "descriptors"], ["message", "sign", "x"],
    ]

    @Test(arguments: [("main", "signet"), ("test", "main")], ["tapsigner", "satscard", "satschip"])
    func aCardOfAnotherNetworkIsNotUsed(_ networks: (own: String, asked: String), _ product: String) async throws {
        let isSatscard = product == "satscard"
        let workshop = try await Workshop(
            isSetUp: false,
            ["--product", product, "--network", networks.own] + (isSatscard ? ["--used-slots", "1", "--blank"] : []),
            cvc: isSatscard ? Workshop.satscardCVC : Workshop.printedCVC)
        let before = try workshop.holdings()
        for verb in isSatscard ? Self.satscardVerbs : Self.signerVerbs {
            let run = try await workshop.tapkit(verb + ["--json", "--network", networks.asked])
            try run.expectFailure(65, "wrong_network")
            #expect(try run.hint().contains("--network"), "\(verb)")
        }
        try await workshop.tapkit("url", "--json", environment: ["TAPKIT_NETWORK": networks.asked])
            .expectFailure(65, "wrong_network")
        #expect(try workshop.holdings() == before)
        // Without the option the network may come from elsewhere: then that is what to change.
        let named = try await workshop.tapkit("status", "--json", environment: ["TAPKIT_NETWORK": networks.asked])
        #expect(try named.hint().contains("Unset TAPKIT_NETWORK"))
        let configured: [String: String?] = ["XDG_CONFIG_HOME": workshop.folder.path("config")]
        try await workshop.tapkit("config", "set", "network", networks.asked, environment: configured).succeeded()
        let other = try await workshop.tapkit("status", "--json", environment: configured)
        try other.expectFailure(65, "wrong_network")
        #expect(try other.hint().contains("tapkit config unset network"))
    }

    /// Every verb shows the address as the network spells it that was asked for.
    @Test(arguments: ["test": "tb1q", "testnet4": "tb1q", "signet": "tb1q", "regtest": "bcrt1q"])
    func addressesAreSpeltForTheNetwork(_ network: String, _ prefix: String) async throws {
        let workshop = try await Workshop.satscard()
        func answer(_ arguments: String...) async throws -> [String: Any] {
            try await workshop.tapkit(["--network", network] + arguments + ["--json", "--yes"]).succeeded().json()
        }
        let address = try await answer("address").text("address")
        #expect(address.hasPrefix(prefix))
        let status = try await answer("status")
        #expect(try status.text("address") == address && status.text("network") == network)
        let slots: [[String: Any]] = try await answer("slots").field("slots")
        #expect(try slots[0].text("address") == address)
        func detail(of name: String) async throws -> String {
            let proofs: [[String: Any]] = try await answer("verify").field("proofs")
            return try #require(proofs.first { $0["name"] as? String == name }).text("detail")
        }
        #expect(try await detail(of: "address").hasPrefix("\(address) "))
        let url = try await answer("url")
        let link = try await answer("url", "verify", try url.text("url"))
        for document in [url, link] {
            #expect(try document.text("address") == address && document.text("network") == network)
        }
        let words = try await workshop.tapkit("url", "verify", try url.text("url"), "--network", network).succeeded()
        #expect(words.text.contains(address))
        #expect(try await answer("unseal").text("address") == address)
        #expect(try await detail(of: "opened_slot").hasSuffix(" \(address)"))
        #expect(try await answer("setup").text("address").hasPrefix(prefix))
        #expect(try await answer("message", "sign", "x").text("address") == address)
    }

    @Test func aLinkToAnotherNetworkIsRefused() async throws {
        let workshop = try await Workshop.satscard()
        let url = try await workshop.tapkit("url", "--json").succeeded().json().text("url")
        let run = try await workshop.tapkit("url", "verify", url, "--network", "main", "--json")
        try run.expectFailure(65, "wrong_network")
        #expect(try run.hint().contains("--network"))
    }
}
