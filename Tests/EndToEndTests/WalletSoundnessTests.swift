import Bitcoin
import Foundation
import TestSupport
import Testing

/// Wallets that somebody slipped in: their change is somebody else's, or nobody can spend or find what they receive.
@Suite struct WalletSoundnessTests {
    /// The key of the card with its origin, without steps.
    private func own(_ workshop: Workshop) async throws -> String {
        let exported = try await workshop.tapkit("export", "descriptors", "--json").succeeded().json()
        let text = try #require(exported.field("descriptors", as: [String].self).first)
        let key = try #require(text.split(separator: "(").last).prefix { $0 != ")" }
        return String(key.replacing("/<0;1>/*", with: ""))
    }

    /// Somebody else's key.
    private func thief(seed: UInt8 = 9, withOrigin: Bool = true) throws -> String {
        let wallet = try SampleWallet(seed: seed)
        let path = try wallet.accountPath(.p2wpkh)
        let key = try wallet.extendedKey(path).text
        return withOrigin ? "\(KeyOrigin(fingerprint: wallet.fingerprint, path: path))\(key)" : key
    }

    @Test func aForeignChangeBranchIsRefusedAtEveryWayIn() async throws {
        let workshop = try await Workshop()
        let (own, thief) = (try await own(workshop), try thief())
        func add(_ descriptors: [String], input: String = "") async throws -> Subprocess {
            try await workshop.tapkit(
                ["wallet", "add", "mix", "--network", "regtest", "--json"] + descriptors, input: Data(input.utf8))
        }
        let pairs = [
            ["wpkh(\(own)/0/*)", "wpkh(\(thief)/1/*)"], ["wpkh(\(own)/<0;1>/*)", "wpkh(\(thief)/<0;1>/*)"],
            ["wpkh(\(own)/0/*)", "sh(wpkh(\(own)/1/*))"], ["wpkh(\(own)/0/*)", "wpkh(\(own)/7/1/*)"],
            ["wsh(sortedmulti(2,\(own)/0/*,\(thief)/0/*))", "wsh(sortedmulti(1,\(own)/1/*,\(thief)/1/*))"],
        ]
        for pair in pairs {
            try await add(pair).expectFailure(65, "bad_descriptor")
            try await add(["-"], input: pair.joined(separator: "\n")).expectFailure(65, "bad_descriptor")
        }
        let keys = try await add(pairs[0]).expectFailure(65, "bad_descriptor").field("error", as: [String: Any].self)
        #expect(try keys.text("message").contains("keys differ"))
        // Nothing was stored.
        #expect(
            try await workshop.tapkit("wallet", "list", "--json").succeeded().json().field("wallets", as: [Any].self)
                .isEmpty)
        try await add(["wpkh(\(own)/0/*)", "wpkh(\(own)/1/*)"]).succeeded()
    }

    @Test func oneKeyForTwoCosignersIsRefusedAtEveryWayIn() async throws {
        let workshop = try await Workshop()
        let (own, thief) = (try await own(workshop), try thief())
        let text = "wsh(sortedmulti(2,\(own)/**,\(thief)/**,\(thief)/**))"
        let descriptor = text.replacing("/**", with: "/<0;1>/*")
        let refused = try await workshop.tapkit("wallet", "add", "w", descriptor, "--network", "regtest", "--json")
        let error = try refused.expectFailure(65, "bad_descriptor").field("error", as: [String: Any].self)
        #expect(try error.text("message").contains("Keys 2 and 3"))
        let first = try Descriptor(parsing: text.replacing("/**", with: "/0/*")).script()
        let address = try #require(Address(scriptPubKey: first, network: .regtest))
        try workshop.folder.write("BSMS 1.0\n\(text)\n/0/*,/1/*\n\(address)\n", to: "w.bsms")
        try await workshop.tapkit("wallet", "add", "w", "--bsms", "w.bsms", "--network", "regtest", "--json")
            .expectFailure(65, "bad_descriptor")
    }

    /// The account of a cosigner and its own first branch are one cosigner: the script holds one key twice.
    @Test func aCosignersChildIsRefusedWithItsRemedy() async throws {
        let workshop = try await Workshop()
        let wallet = try SampleWallet(seed: 9)
        let path = try wallet.accountPath(.p2wpkh)
        let child = try wallet.extendedKey(path).child(ChildNumber(rawValue: 0))
        let origin = KeyOrigin(
            fingerprint: wallet.fingerprint, path: path.appending(try DerivationPath(parsing: "m/0")))
        let descriptor =
            "wsh(sortedmulti(2,\(try await own(workshop))/0/*,\(try thief())/0/*,\(origin)\(child.text)/*))"
        let refused = try await workshop.tapkit("wallet", "add", "w", descriptor, "--network", "regtest", "--json")
        let error = try refused.expectFailure(65, "bad_descriptor").field("error", as: [String: Any].self)
        #expect(try error.text("message").contains("Keys 2 and 3"))
        let hint = try refused.hint()
        #expect(hint.contains("their own extended key") && hint.contains("wallet remove"))
        #expect(!hint.contains("one account"))
    }

    /// A record's first address says nothing of where change goes: its paths are looked at as those of any wallet.
    @Test(arguments: [
        ("/0/*,/1/*", true), ("/0/*,/7/1/*", false), ("/0/*,/1999999999/1/*", false), ("/0/*,/1/*,/9/1/*", false),
    ])
    func aCoordinatorsRecordIsLookedAtBeyondItsFirstAddress(_ paths: String, _ isTaken: Bool) async throws {
        let workshop = try await Workshop()
        let text = "wsh(sortedmulti(2,\(try await own(workshop))/**,\(try thief())/**))"
        let first = try Descriptor(parsing: text.replacing("/**", with: "/0/*")).script()
        let address = try #require(Address(scriptPubKey: first, network: .regtest))
        try workshop.folder.write("BSMS 1.0\n\(text)\n\(paths)\n\(address)\n", to: "w.bsms")
        let run = try await workshop.tapkit("wallet", "add", "w", "--bsms", "w.bsms", "--network", "regtest", "--json")
        if isTaken { try run.succeeded() } else { try run.expectFailure(65, "bad_descriptor") }
    }

    /// A wallet that an earlier tapkit took: it is shown with a warning and can be removed; nothing else is done with it, and
    /// what it made is not signed.
    @Test func aWalletOfAnOlderStoreIsNotUsed() async throws {
        let place = try await ChainPlace(try await Workshop())
        let own = try await own(place.workshop)
        try await place("wallet", "add", "mix", "wpkh(\(own)/0/*)", "wpkh(\(own)/1/*)").succeeded()
        let address = try await place("wallet", "receive", "mix", "--verify").succeeded().json().text("address")
        try await place.fund(address, 100_000)
        let id = try await place(
            "tx", "create", "--wallet", "mix", "--to", "\(ChainPlace.stranger)=10000sat", "--fee-rate", "1"
        ).succeeded().json().text("id")
        let thief = try #require(try Descriptor(parsing: "wpkh(\(thief())/1/*)").text)
        try await place.edit(
            "UPDATE wallet_descriptor SET descriptor = ? WHERE descriptor LIKE '%/1/*)%'", thief)
        for arguments in [
            ["wallet", "receive", "mix"], ["wallet", "receive", "mix", "--verify"],
            ["export", "core", "--wallet", "mix"],
            ["export", "descriptors", "--wallet", "mix"], ["tx", "bump", id, "--fee-rate", "5"],
            ["tx", "create", "--wallet", "mix", "--to", "\(ChainPlace.stranger)=10000sat", "--fee-rate", "1"],
        ] {
            let failure = try await place(arguments)
            try failure.expectFailure(65, "bad_descriptor")
            #expect(try failure.hint().contains("wallet remove"))
        }
        try await place("tx", "sign", id, "--yes").expectFailure(65, "refused")
        let shown = try await place("wallet", "show", "mix").succeeded()
        #expect(shown.errorText.contains("WARNING") && shown.errorText.contains("not used"))
        // The way out.
        try await place("wallet", "remove", "mix", "--yes").succeeded()
        try await place("wallet", "add", "mine", "wpkh(\(own)/<0;1>/*)").succeeded()
        #expect(try await place("wallet", "sync", "mine").succeeded().json()["confirmed_sat"] as? Int == 100_000)
    }

    @Test func whatTheCardCannotSignForIsNotVerified() async throws {
        let workshop = try await Workshop()
        let own = try await own(workshop)
        let wallets = [
            ("deep", "wpkh(\(own)/7/1999999999/3/*)"), ("far", "wpkh(\(own)/1999999999/*)"),
            ("taproot", "tr(\(own)/<0;1>/*)"),
            ("apart", "wsh(sortedmulti(2,\(own)/<0;1>/*,\(try thief())/<0;1999999999>/*))"),
        ]
        for (name, descriptor) in wallets {
            try await workshop.tapkit("wallet", "add", name, descriptor, "--network", "regtest", "--json").succeeded()
            try await workshop.tapkit("wallet", "receive", name, "--verify", "--json")
                .expectFailure(65, "out_of_reach")
        }
        try await workshop.tapkit("wallet", "add", "w", "wpkh(\(own)/<0;1>/*)", "--network", "regtest").succeeded()
        try await workshop.tapkit("wallet", "receive", "w", "--verify", "--index", "2147483647", "--json")
            .expectFailure(65, "out_of_reach")
        let far = try await workshop.tapkit("wallet", "receive", "w", "--verify", "--index", "2147483647", "--json")
        #expect(try far.hint().contains("--index"))
        let near = try await workshop.tapkit("wallet", "receive", "w", "--verify", "--index", "30", "--json")
        #expect(try near.succeeded().json()["verified"] as? Bool == true)
    }

    /// A key that is said to be the card's and is not, beside one that is: in whichever order, it is refused where the card's
    /// keys are known, and nothing is verified where they are not.
    @Test func everyKeyThatIsSaidToBeTheCardsIsLookedAt() async throws {
        let workshop = try await Workshop()
        let own = try await own(workshop)
        let posing = try String(own.prefix { $0 != "]" }) + "]" + thief(withOrigin: false)
        for (name, keys) in [("a", [own, posing]), ("b", [posing, own])] {
            for function in ["multi", "sortedmulti"] {
                let descriptor = "wsh(\(function)(1,\(keys.map { $0 + "/<0;1>/*" }.joined(separator: ","))))"
                let wallet = name + function
                let add = ["wallet", "add", wallet, descriptor, "--network", "regtest", "--json"]
                try await workshop.tapkit(add).expectFailure(76, "bad_proof")
                let empty = try TemporaryFolder()
                let elsewhere: [String: String?] = ["TAPKIT_DATA_DIR": empty.path("data")]
                try await workshop.tapkit(add, environment: elsewhere).succeeded()
                try await workshop.tapkit(
                    ["wallet", "receive", wallet, "--verify", "--json"], environment: elsewhere
                ).expectFailure(65, "other_wallet")
            }
        }
    }

    /// What the wallet calls change and the card's keys do not prove is not answered by `--yes`.
    @Test func changeThatTheCardDoesNotProveIsAskedAbout() async throws {
        let place = try await ChainPlace(try await Workshop())
        let own = try await own(place.workshop)
        let other = try thief(withOrigin: false)
        try await place("wallet", "add", "w", "wsh(sortedmulti(1,\(own)/<0;1>/*,\(other)/<0;1>/*))").succeeded()
        let address = try await place("wallet", "receive", "w").succeeded().json().text("address")
        try await place.fund(address, 100_000)
        let id = try await place(
            "tx", "create", "--wallet", "w", "--to", "\(ChainPlace.stranger)=50000sat", "--fee-rate", "1"
        ).succeeded().json().text("id")
        let refused = try await place("tx", "sign", id, "--yes", "--accept", "change_not_proven")
        let error = try refused.expectFailure(65, "not_accepted").field("error", as: [String: Any].self)
        #expect(try error.text("message").contains("wallet_change_not_proven"))
        try await place(
            "tx", "sign", id, "--yes", "--accept", "change_not_proven", "--accept", "wallet_change_not_proven"
        ).succeeded()
    }
}
