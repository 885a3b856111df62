import Bitcoin
import Foundation
import TapSimulator
import TestSupport
import Testing

/// A wallet of several cards: on one reader in turn, on two readers at once.
@Suite struct SharedWalletTests {
    @Test(arguments: ReaderKind.allCases) func cardsAreLaidDownInTurn(_ kind: ReaderKind) async throws {
        let (first, second) = (try await Workshop(), try await Workshop())
        let cards = try [first, second].map { try SimulatedCard(path: $0.cardFile) }
        try await CardStand.lend(kind, with: cards[0]) { stand in
            let adding = try first.start(
                ["wallet", "add", "ours", "--threshold", "2", "--network", "regtest", "--json", "--wait=100"],
                environment: ["TAPKIT_READER": stand.spec])
            try await adding.errorText(contains: "1 of 2 cards read")
            stand.pull()
            try await stand.lay(cards[1])
            #expect(
                try await adding.ending(timeout: .seconds(120)) == .exited(0), "\(adding.text)\(adding.errorText)")
            let descriptor = try #require(try adding.json().field("descriptors", as: [String].self).first)
            for workshop in [first, second] {
                #expect(descriptor.contains("[\(try await workshop.wallet().fingerprint)/84h/1h/0h]"))
            }
        }
    }

    @Test func tooFewAndTooManyCardsAreSaid() async throws {
        let (first, second) = (try await Workshop(), try await Workshop())
        let alone = try await first.tapkit("wallet", "add", "w", "--threshold", "2", "--json")
        try alone.expectFailure(75, "no_card")
        #expect(try alone.hint().contains("--wait"))
        let sandbox = try await PCSCSandbox(card: first.cardFile, second.cardFile)
        @Sendable func add(_ name: String, _ arguments: String...) async throws -> Subprocess {
            try await sandbox.run(
                Subprocess.tapkit, ["wallet", "add", name, "--json"] + arguments,
                environment: first.environment.merging(["TAPKIT_READER": "pcsc"]) { $1 }, directory: first.folder.url)
        }
        try await add("w").expectFailure(65, "ambiguous_card")
        try await add("w", "--threshold", "1", "--cards", "1").expectFailure(65, "ambiguous_card")
        try await add("w", "--threshold", "3", "--cards", "2").expectFailure(64, "usage")
        try await add("w", "--threshold", "0").expectFailure(64, "usage")
        // Both cards are where programs look for wallets of one key.
        let made = try await add("w", "--threshold", "1", "--network", "regtest").succeeded()
        #expect(made.errorText.contains("m/48h/1h/0h/2h") && made.errorText.contains("m/84h/1h/0h"))
        let oneOfTwo = try made.json()
        #expect(try oneOfTwo.field("warnings", as: [String].self).count == 2)
        #expect(try #require(oneOfTwo.field("descriptors", as: [String].self).first).hasPrefix("wsh(sortedmulti(1,["))
    }

    /// One card's word is worth only as much as the others' keys cannot do without it.
    @Test func whatACardCannotVouchForIsSaid() async throws {
        let workshop = try await Workshop()
        let exported = try await workshop.tapkit("export", "descriptors", "--json").succeeded().json()
        let own = try #require(exported.field("descriptors", as: [String].self).first)
            .split(separator: "(")[1].prefix { $0 != ")" }
        let stranger = try SampleWallet(seed: 9)
        let path = try stranger.accountPath(.p2wpkh)
        let other =
            "\(KeyOrigin(fingerprint: stranger.fingerprint, path: path))\(try stranger.extendedKey(path).text)/<0;1>/*"
        for (name, threshold, isSafe) in [("trap", 1, false), ("both", 2, true)] {
            try await workshop.tapkit("wallet", "add", name, "wsh(sortedmulti(\(threshold),\(own),\(other)))")
                .succeeded()
            let shown = try await workshop.tapkit("wallet", "show", name, "--offline").succeeded().text
            #expect(shown.split(separator: "\n").first?.hasSuffix(", multisig \(threshold) of 2)") == true, "\(shown)")
            let receive = try await workshop.tapkit("wallet", "receive", name, "--verify", "--json").succeeded().json()
            #expect(receive["verified"] as? Bool == isSafe)
            #expect(receive["verified_keys"] as? Int == 1)
            let warnings = try receive.field("warnings", as: [String].self)
            #expect(warnings.contains { $0.contains("not verified") })
        }
        // Of a policy, who can spend follows from its paths.
        let take = "enough to spend"
        for (name, policy, isSafe, warning) in [
            ("nobody", "and_v(v:pk(\(own)),pk(\(other)))", true, "cannot be spent without the verified keys."),
            ("either", "or_d(pk(\(own)),pk(\(other)))", false, "it is \(take): whoever holds it can take the money."),
            (
                "heir", "or_d(pk(\(own)),and_v(v:pkh(\(other)),older(1000)))", false,
                "it is \(take) once a lock has opened: whoever holds it can take the money then."
            ),
        ] {
            try await workshop.tapkit("wallet", "add", name, "wsh(\(policy))").succeeded()
            let receive = try await workshop.tapkit("wallet", "receive", name, "--verify", "--json").succeeded().json()
            #expect(receive["verified"] as? Bool == isSafe)
            let warnings = try receive.field("warnings", as: [String].self)
            #expect(warnings.contains { $0.hasSuffix(warning) }, "\(warnings)")
        }
    }
}
