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
        #expect(try await tapkit("help").succeeded().text.contains("SUBCOMMANDS"))
        #expect(try await tapkit("--help").succeeded().text.contains("SUBCOMMANDS"))
        #expect(try await tapkit("help", "readers").succeeded().text.contains("sim:FILE"))
        #expect(try await tapkit("help", "sign").succeeded().text.contains("--extract"))
        #expect(try await tapkit("sign", "--help").succeeded().text.contains("--extract"))
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
