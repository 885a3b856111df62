import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// The same card on both kinds of reader, asked the same: the same answers.
@Suite struct SameAnswersTests {
    /// What a card in a state answers to a list of commands on a reader.
    private static func answers(
        _ original: Workshop, on kind: ReaderKind, _ commands: [[String]]
    ) async throws -> (texts: [String], workshop: Workshop) {
        let workshop = try Workshop(copying: original)
        let texts = try await ServedCard.lay(workshop, on: kind) { card in
            var texts: [String] = []
            for command in commands {
                let run = try await workshop.tapkit(command + ["--json", "--yes"], environment: card.reader).succeeded()
                var answer = try run.json()
                // The simulated card's signatures have another nonce each time.
                if command[0] == "sign" { answer = ["txid": try await answer.expectComplete(inputs: 50)] }
                if answer["signature"] != nil { answer["signature"] = "" }
                if let reader = answer.removeValue(forKey: "reader") { #expect(reader as? String == card.spec) }
                let data = try JSONSerialization.data(withJSONObject: answer, options: .sortedKeys)
                texts.append("\(command[0]): " + String(decoding: data, as: UTF8.self))
            }
            return texts
        }
        return (texts, workshop)
    }

    private static func expectSame(
        _ original: Workshop, _ commands: [[String]], at location: SourceLocation = #_sourceLocation
    ) async throws -> [Workshop] {
        let runs = [
            try await answers(original, on: .pcsc, commands), try await answers(original, on: .nfc, commands),
        ]
        for (one, other) in zip(runs[0].texts, runs[1].texts) { #expect(one == other, sourceLocation: location) }
        #expect(runs[0].texts.count == commands.count, sourceLocation: location)
        return runs.map(\.workshop)
    }

    @Test func aSigner() async throws {
        let original = try await Workshop()
        try original.folder.write("907311548263", to: "new")
        let psbt = try await original.writePSBT(inputs: 50)
        let workshops = try await Self.expectSame(
            original,
            [
                ["status"], ["verify"], ["xpub"], ["xpub", "--master"], ["sign", "tx.psbt"],
                ["sign", "tx.psbt", "-o", "again.psbt", "--extract"], ["message", "sign", "hello"],
                ["backup", "-o", "copy.aes"], ["change-cvc", "--new-cvc-file", "new"], ["status"],
            ])
        for workshop in workshops {
            let signed = try workshop.psbt("tx.signed.psbt")
            #expect(signed.inputs.count == 50)
            try await signed.expectVerified()
            #expect(try workshop.psbt("again.psbt").isFinalized)
        }
        let extracted = try await workshops[0].tapkit(
            "sign", "tx.psbt", "-o", "last.psbt", "--extract", "--yes", "--cvc-file", "new"
        ).succeeded()
        let transaction = extracted.text.trimmingCharacters(in: .newlines)
        let spent = try psbt.inputs.map { input in
            let output = try #require(input.witnessUTXO)
            return ["amount_sat": output.value, "script": Hex.encode(output.scriptPubKey.bytes)] as [String: Any]
        }
        let python = try PythonEnvironment.shared()
        let verdicts = try await python.run("verify_tx.py", ["tx": transaction, "spent": spent])
        for judge in ["bitcointx", "btclib", "kernel"] { #expect(verdicts[judge] as? Bool == true, "\(verdicts)") }
    }

    @Test func aSatscard() async throws {
        let original = try await Workshop.satscard("--used-slots", "2")
        let workshops = try await Self.expectSame(
            original,
            [
                ["status"], ["verify"], ["address"], ["slots"], ["slots", "--show-keys"], ["unseal"], ["unseal"],
                ["status"], ["slots"],
            ])
        for workshop in workshops {
            let slots: [[String: Any]] = try await workshop.tapkit("sim", "show", "card.json", "--json").json().field(
                "slots")
            #expect(try slots.prefix(4).map { try $0.text("state") } == ["unsealed", "unsealed", "unsealed", "unused"])
        }
    }

    /// A key is drawn by the card itself, another one each time: compared with what the card holds then.
    @Test(arguments: ReaderKind.allCases) func aNewKey(_ kind: ReaderKind) async throws {
        let bench = try await CardJob.setup.prepare()
        let output = try await ServedCard.lay(bench, on: kind) { card in
            try await bench.tapkit(CardJob.setup.arguments, environment: card.reader).succeeded().output
        }
        let answer = try #require(try JSONSerialization.jsonObject(with: output) as? [String: Any])
        #expect(try await CardJob.setup.result(answer, bench) == [bench.ident, "m/84h/1h/0h", "m/84h/1h/0h"])

        let satscard = try await Workshop.satscard("--used-slots", "1", "--blank")
        let texts = try await ServedCard.lay(satscard, on: kind) { card in
            let setup = try await satscard.tapkit("setup", "--json", environment: card.reader).succeeded().json()
            let shown = try await satscard.tapkit("address", "--json", environment: card.reader).succeeded().json()
            return [try setup.text("address"), try shown.text("address")]
        }
        let slots: [[String: Any]] = try await satscard.tapkit("sim", "show", "card.json", "--json").json().field(
            "slots")
        #expect(try texts == [slots[1].text("address"), slots[1].text("address")])
    }
}
