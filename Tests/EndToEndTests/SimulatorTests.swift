import Foundation
import TestSupport
import Testing

/// `tapkit sim`: simulated cards as files and on virtual readers.
@Suite struct SimulatorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func sim(_ arguments: String...) async throws -> Subprocess {
        try await Subprocess.run(
            Subprocess.tapkit, ["sim"] + arguments, environment: Workshop.nothing, directory: folder.url)
    }

    private func status(_ file: String, root: String) async throws -> [String: Any] {
        try await Subprocess.run(
            Subprocess.tapkit, ["status", "--json", "--reader", "sim:\(file)", "--root-key", root],
            environment: Workshop.nothing, directory: folder.url
        ).succeeded().json()
    }

    @Test(arguments: ["tapsigner", "satscard", "satschip"], ["main", "test"])
    func everyProductOnEveryNetwork(_ product: String, _ network: String) async throws {
        let made = try await sim("new", "c", "--json", "--product", product, "--network", network).succeeded().json()
        #expect(made["file"] as? String == "c")
        #expect(made["product"] as? String == product)
        #expect((made["cvc"] as? String)?.count == 6)
        #expect((made["aes_key"] as? String)?.count == (product == "tapsigner" ? 32 : nil))
        let status = try await status("c", root: try #require(made["root_key"] as? String))
        #expect(status["product"] as? String == product)
        #expect(status["network"] as? String == network)
        #expect(status["ident"] as? String == made["ident"] as? String)
        #expect(status["genuine"] as? Bool == false)
        #expect(status["simulated"] as? Bool == true)
        if product == "satscard" {
            #expect(status["active_slot"] as? Int == 1)
            #expect(status["slots"] as? Int == 10)
            #expect(status["set_up"] == nil)
        }
    }

    /// A card knows only one test network; it stands for whichever one was asked for.
    @Test(arguments: ["regtest", "signet", "testnet4", "test", "main"])
    func theNetworkOfTheEnvironmentMakesACardForIt(_ network: String) async throws {
        let asked = Workshop.nothing.merging(["TAPKIT_NETWORK": network]) { $1 }
        let made = try await Subprocess.run(
            Subprocess.tapkit, ["sim", "new", "c", "--json"], environment: asked, directory: folder.url
        ).succeeded().json()
        #expect(made["network"] as? String == (network == "main" ? "main" : "test"))
        try await Subprocess.run(
            Subprocess.tapkit,
            ["status", "--reader", "sim:c", "--root-key", try #require(made["root_key"] as? String)],
            environment: asked, directory: folder.url
        ).succeeded()
    }

    @Test(arguments: ["0.9.0", "1.0.0", "1.0.2", "1.0.3"])
    func everyApplet(_ version: String) async throws {
        let made = try await sim("new", "c", "--json", "--applet", version).succeeded().json()
        #expect(try await status("c", root: try #require(made["root_key"] as? String))["version"] as? String == version)
    }

    @Test func theSameSeedMakesTheSameCard() async throws {
        let one = try await sim("new", "a", "--json", "--seed", "0102").succeeded().json()
        let two = try await sim("new", "b", "--json", "--seed", "0102").succeeded().json()
        let other = try await sim("new", "c", "--json", "--seed", "0103").succeeded().json()
        #expect(one["ident"] as? String == two["ident"] as? String)
        #expect(one["cvc"] as? String == two["cvc"] as? String)
        #expect(one["ident"] as? String != other["ident"] as? String)
    }

    @Test func slotsAreOpenedBeforehand() async throws {
        try await sim("new", "c", "--product", "satscard", "--used-slots", "3").succeeded()
        let slots = try await sim("show", "c", "--json").succeeded().json()["slots"] as? [[String: Any]]
        #expect(slots?.compactMap { $0["slot"] as? Int } == Array(1...10))
        #expect(
            slots?.prefix(5).map { $0["state"] as? String } == ["unsealed", "unsealed", "unsealed", "sealed", "unused"])
        try await sim("new", "full", "--product", "satscard", "--used-slots", "10").succeeded()
        try await sim("new", "blank", "--product", "satscard", "--blank").succeeded()
        let blank = try await sim("show", "blank", "--json").json()["slots"] as? [[String: Any]]
        #expect(blank?.allSatisfy { $0["state"] as? String == "unused" } == true)
    }

    @Test func whatIsAskedForIsKeptWithTheCard() async throws {
        try await sim(
            "new", "c", "--product", "satscard", "--tampered", "--wait-ms", "7", "--sign-ms", "9", "--derived-key-signs"
        ).succeeded()
        var shown = try await sim("show", "c", "--json").succeeded().json()
        #expect(shown["tampered"] as? Bool == true)
        #expect(shown["wait_ms"] as? Int == 7 && shown["sign_ms"] as? Int == 9)
        #expect((shown["slots"] as? [[String: Any]])?.first?["state"] as? String == "unsealed")
        #expect(try String(contentsOfFile: folder.path("c"), encoding: .utf8).contains("derived_key\" : true"))
        try await sim("new", "usual").succeeded()
        shown = try await sim("show", "usual", "--json").succeeded().json()
        #expect(shown["tampered"] as? Bool == false)
        #expect(shown["wait_ms"] as? Int == 1_000 && shown["sign_ms"] as? Int == 0)
        #expect(try String(contentsOfFile: folder.path("usual"), encoding: .utf8).contains("derived_key\" : false"))
    }

    /// A card that differs from its documents is as genuine as any; the trace says in what it differs.
    @Test func aCardWithHabitsIsUsedLikeAnyOther() async throws {
        let habits = ["header-31", "high-s", "missing-fields", "version-suffix", "extra-fields"]
        let made = try await sim(
            "new", "c", "--json", "--seed", "01", "--habit", habits[0], "--habit", habits[1], "--habit", habits[2],
            "--habit", habits[3], "--habit", habits[4]
        ).succeeded().json()
        let shown = try await sim("show", "c", "--json").succeeded().json()
        #expect(shown["habits"] as? [String] == habits.sorted())
        #expect(try await sim("show", "c").succeeded().text.contains("Habits: extra-fields, header-31"))
        let root = try #require(made["root_key"] as? String)
        let status = try await status("c", root: root)
        #expect(status["root"] as? String == "custom")
        #expect(status["version"] as? String == "v1.0.3-rc1 (lot 7)" && status["birth_height"] == nil)
        let traced = try await Subprocess.run(
            Subprocess.tapkit, ["status", "--trace", "--reader", "sim:c", "--root-key", root],
            environment: Workshop.nothing, directory: folder.url
        ).succeeded()
        #expect(traced.text.contains("date of manufacture unknown"))
        for form in [
            "in select: `proto` is missing", "in check: S of `auth_sig` is high and was made low",
        ] {
            #expect(traced.errorText.contains("accepted an unusual form \(form)"), "\(traced.errorText)")
        }
    }

    @Test func theDevelopmentRootIsAnother() async throws {
        let usual = try await sim("new", "a", "--json").succeeded().json()["root_key"] as? String
        let development = try await sim("new", "b", "--json", "--dev-root").succeeded().json()["root_key"] as? String
        #expect(usual != nil && development != nil && usual != development)
    }

    @Test(arguments: [
        ["--product", "opendime"], ["--applet", "2.0"], ["--cvc", "12345"],
        ["--cvc", "12345x"], ["--seed", "xyz"], ["--seed", ""], ["--unlucky", "101"], ["--used-slots", "1"],
        ["--product", "satscard", "--used-slots", "11"], ["--product", "satscard", "--cvc", "1234567"],
        ["--wait-ms", "60001"], ["--sign-ms", "60001"], ["--habit", "punctual"],
        ["--habit", "header-27", "--habit", "header-31"],
    ])
    func aCardThatCannotBeIsNotMade(_ options: [String]) async throws {
        let run = try await Subprocess.run(
            Subprocess.tapkit, ["sim", "new", "c", "--json"] + options, environment: Workshop.nothing,
            directory: folder.url)
        try run.expectFailure(64, "sim_bad_options")
        #expect(!FileManager.default.fileExists(atPath: folder.path("c")))
    }

    @Test func filesAreNotMixedUp() async throws {
        try await sim("new", "c").succeeded()
        let before = try Data(contentsOf: folder.url.appendingPathComponent("c"))
        try await sim("new", "c", "--json").expectFailure(73, "sim_file_exists")
        #expect(try Data(contentsOf: folder.url.appendingPathComponent("c")) == before)
        try await sim("show", "none", "--json").expectFailure(66, "sim_file_not_found")
        try folder.write("{}", to: "damaged")
        try await sim("show", "damaged", "--json").expectFailure(65, "sim_file_damaged")
        try await sim("new", "none/c", "--json").expectFailure(73, "sim_file_failed")
        try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
        for file in [".", "pipe"] {
            try await sim("show", file, "--json").expectFailure(65, "input_unreadable")
            let status = try await Subprocess.run(
                Subprocess.tapkit, ["status", "--json", "--reader", "sim:\(file)"], environment: Workshop.nothing,
                directory: folder.url)
            try status.expectFailure(65, "input_unreadable")
        }
    }

    @Test func secretsAreShownOnlyWhenAskedFor() async throws {
        let workshop = try await Workshop()
        let shown = try await workshop.tapkit("sim", "show", "card.json", "--show-keys", "--json").json()
        let secrets = try ["cvc", "aes_key", "xprv"].map { try #require(shown[$0] as? String) }
        for arguments in [["--json"], []] {
            let run = try await Subprocess.run(
                Subprocess.tapkit, ["sim", "show", "card.json"] + arguments, environment: workshop.environment,
                directory: workshop.folder.url
            ).succeeded()
            for secret in secrets { #expect(!run.text.contains(secret)) }
        }
        let words = try await workshop.tapkit("sim", "show", "card.json", "--show-keys").succeeded()
        for secret in secrets { #expect(words.text.contains(secret)) }
        #expect(words.text.hasPrefix("SIMULATED"))
    }

    @Test func oneCardLiesOnOneReaderOnly() async throws {
        let workshop = try await Workshop()
        try await ServedCard.lay(workshop) { card in
            // Refused because of the card's lock, before a reader is touched.
            let second = try await workshop.tapkit("sim", "serve", "card.json", "--vpcd", "127.0.0.1:1", "--json")
            try second.expectFailure(69, "sim_in_use")
            let direct = try await workshop.tapkit("status", "--json")
            #expect(direct.status == 69)
        }
    }

    /// What cannot be planned is refused before anything is served.
    @Test(arguments: [
        ["--pull-at", "0:after"], ["--pull-at", "3"], ["--pull-at", "3:now"], ["--pull-at", "x:after"],
        ["--pull-at", "3:after", "--back-after=-1"], ["--pull-at", "3:after", "--back-after", "60001"],
        ["--back-after", "100"],
    ])
    func aPullThatCannotBe(_ options: [String]) async throws {
        try await sim("new", "c").succeeded()
        let run = try await Subprocess.run(
            Subprocess.tapkit, ["sim", "serve", "c", "--pn532", "--json"] + options, environment: Workshop.nothing,
            directory: folder.url, timeout: .seconds(20))
        try run.expectFailure(64, "usage")
    }

    @Test(arguments: ["example.org:35963", "192.0.2.1:35963", "127.0.0.1", "127.0.0.1:99999", ""])
    func aCardIsServedOnLoopbackOnly(_ address: String) async throws {
        try await sim("new", "c").succeeded()
        try await sim("serve", "c", "--vpcd", address, "--json").expectFailure(64, "sim_bad_address")
    }
}
