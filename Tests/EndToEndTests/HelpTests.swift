import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// What explains `tapkit`, and the demonstration.
@Suite struct HelpTests {
    private func tapkit(_ arguments: String...) async throws -> Subprocess {
        try await Subprocess.run(Subprocess.tapkit, arguments, environment: Workshop.nothing)
    }

    @Test func theDemonstrationEndsWithATransaction() async throws {
        let words = try await tapkit("demo").succeeded()
        #expect(words.text.contains("SIMULATED"))
        let lines = words.text.split(separator: "\n")
        let printed = try Transaction(serialized: Hex.decode(String(try #require(lines.last))))
        #expect(lines.dropLast().last?.hasSuffix(printed.id.description) == true)

        let run = try await tapkit("demo", "--json").succeeded()
        let answer = try run.json()
        let transaction = try Transaction(serialized: Hex.decode(try #require(answer["tx"] as? String)))
        #expect(transaction.id.description == answer["txid"] as? String)
        #expect(transaction.inputs.count == 2)
        #expect(run.errorText.contains("8. The card signed 2 inputs"))
        // Its coin is invented; nothing else is against it.
        try await NodeJury.expectTaken([printed, transaction])
    }

    @Test func theDemonstrationLeavesNothingBehind() async throws {
        let folder = try TemporaryFolder()
        try await Subprocess.run(
            Subprocess.tapkit, ["demo"], environment: Workshop.nothing.merging(["TMPDIR": folder.url.path]) { $1 },
            directory: folder.url
        ).succeeded()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func everyErrorIsListed() async throws {
        let list = try await tapkit("help", "errors", "--json").succeeded().json()["errors"] as? [[String: Any]]
        let words = try await tapkit("help", "errors").succeeded().text
        #expect((list?.count ?? 0) > 40)
        for entry in list ?? [] {
            let code = try #require(entry["code"] as? String)
            #expect(code.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" })
            #expect(words.contains(code))
        }
    }

    @Test func helpIsThere() async throws {
        let overview = try await tapkit("help").succeeded().text
        for arguments in [["--help"], ["-h"], []] {
            let same = try await Subprocess.run(
                Subprocess.tapkit, arguments,
                environment: Workshop.nothing.merging(["TAPKIT_READER": "sim:no.json"]) { $1 })
            #expect(try same.succeeded().text == overview, "\(arguments)")
        }
        var lines = overview.split(separator: "\n").map(String.init)[...]
        for group in ["Start", "TAPSIGNER", "SATSCARD", "Wallets and transactions", "Other programs", "Repair"] {
            lines = lines.drop { $0 != "\(group):" }
            #expect(!lines.isEmpty, "\(group)")
        }
        #expect(try await tapkit("help", "readers").succeeded().text.contains("sim:FILE"))
        #expect(try await tapkit("help", "sign").succeeded().text.contains("--extract"))
        let sign = try await tapkit("sign", "--help").succeeded().text
        #expect(try await tapkit("help", "sign").succeeded().text == sign)
        #expect(sign.contains("--extract") && sign.contains("tapkit help options") && !sign.contains("--root-key"))
        let options = try await tapkit("help", "options").succeeded().text
        #expect(options.contains("--root-key <hex>") && options.contains("--wait [<seconds>]"))
        #expect(try await tapkit("help", "tx").succeeded().text.contains("tapkit help tx SUBCOMMAND"))
        #expect(try await tapkit("help", "sim", "new").succeeded().text.contains("--used-slots"))
        #expect(try await tapkit("help", "readers", "--json").succeeded().json()["text"] != nil)
        try await tapkit("help", "frobnicate", "--json").expectFailure(64, "usage")
    }

    @Test func theVersionIsANumber() async throws {
        let text = try await tapkit("--version").succeeded().text
        #expect(text.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil, "\(text)")
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func shellsCompleteVerbs(_ shell: String) async throws {
        let script = try await tapkit("--generate-completion-script", shell).succeeded().text
        for verb in ["status", "change-cvc", "sign"] { #expect(script.contains(verb)) }
    }

    /// What shells ask for is answered out of the store, where there is one.
    @Test func shellsCompleteWhatIsStored() async throws {
        let workshop = try await Workshop(isSetUp: false)
        func completed(_ verb: [String], _ argument: String = "positional@0", _ more: String...) async throws -> String
        {
            let words = ["tapkit"] + verb + more + [""]
            return try await workshop.tapkit(
                ["---completion"] + verb + ["--", argument, "\(words.count - 1)", "0"] + words
            ).succeeded().text
        }
        #expect(try await completed(["wallet", "show"]) == "\n")
        #expect(!FileManager.default.fileExists(atPath: workshop.storeFolder.path("data")))
        try await workshop.tapkit("setup", "--keep-cvc").succeeded()
        try await workshop.tapkit("wallet", "add", "my savings").succeeded()
        try await workshop.writePSBT(inputs: 1, on: .shared())
        let id = try workshop.psbt("tx.psbt").unsignedTransaction.id.description
        try await workshop.tapkit("tx", "import", "tx.psbt").succeeded()
        #expect(try await completed(["wallet", "show"]) == "my savings\n")
        #expect(try await completed(["tx", "create"], "--wallet") == "my savings\n")
        #expect(try await completed(["tx", "show"]) == id.prefix(12) + "\n")
        let other = workshop.folder.path("none")
        #expect(try await completed(["wallet", "show"], "positional@0", "--data-dir", other) == "\n")
        #expect(!FileManager.default.fileExists(atPath: other))
        for shell in ["bash", "zsh", "fish"] {
            let script = try await tapkit("--generate-completion-script", shell).succeeded().text
            for key in ["data-dir", "root-key", "chain"] { #expect(script.contains(key), "\(shell)") }
        }
    }

    /// Somebody with a card, and no idea.
    @Test func whoeverTypesNothingHearsOfTheCard() async throws {
        let workshop = try await Workshop()
        let run = try await workshop.tapkit([]).succeeded()
        #expect(run.text.contains(workshop.ident) && run.text.contains("Next: tapkit xpub"), "\(run.text)")
        #expect(run.text.contains("tapkit help"))
        let named = try await workshop.tapkit(
            "--reader", "sim:\(workshop.cardFile)", environment: ["TAPKIT_READER": nil])
        #expect(try named.succeeded().text == run.text)
    }

    @Test func optionsMayStandBeforeTheVerb() async throws {
        let workshop = try await Workshop()
        let run = try await workshop.tapkit("--json", "--reader", "sim:card.json", "status")
        #expect(try run.succeeded().json()["ident"] as? String == workshop.ident)
    }

    /// Scripts give the options of every verb to every verb, before it or behind it.
    @Test(arguments: [
        ["readers"], ["status"], ["verify"], ["url"], ["wait"], ["xpub"], ["export", "descriptors"], ["doctor"],
    ])
    func everyVerbTakesTheOptionsOfEveryVerb(_ verb: [String]) async throws {
        let workshop = try await Workshop()
        let options = ["--cvc-file", "cvc", "--network", "test", "--card", workshop.ident, "--yes", "--json"]
        try await Subprocess.run(
            Subprocess.tapkit, verb + options, environment: workshop.environment, directory: workshop.folder.url
        ).succeeded()
        try await Subprocess.run(
            Subprocess.tapkit, options + verb, environment: workshop.environment, directory: workshop.folder.url
        ).succeeded()
    }
}
