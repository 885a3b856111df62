import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// `tapkit sign`: what goes in, what comes out, and in which form.
@Suite struct SigningTests {
    @Test func theAnswerHoldsWhatProgramsNeed() async throws {
        let workshop = try await Workshop()
        let unsigned = try await workshop.writePSBT(inputs: 2, on: BitcoinNode.shared())
        let answer = try await workshop.tapkit("sign", "tx.psbt", "--yes", "--json").succeeded().json()

        let promised: Set = [
            "signed", "complete", "psbt", "txid", "tx", "fee_sat", "inputs", "outputs", "warnings",
        ]
        #expect(promised.subtracting(answer.keys) == [])
        #expect(answer["signed"] as? Int == 2)
        #expect(answer["complete"] as? Bool == true)
        #expect(answer["fee_sat"] as? Int == 1_000)
        #expect(answer["txid"] as? String == unsigned.unsignedTransaction.id.description)
        let transaction = try Transaction(serialized: Hex.decode(try #require(answer["tx"] as? String)))
        #expect(transaction.id == unsigned.unsignedTransaction.id)
        let signed = try PSBT(fileContent: Array(try #require(answer["psbt"] as? String).utf8))
        #expect(try workshop.psbt("tx.signed.psbt").serialized() == signed.serialized())
        try await signed.expectVerified()
        let inputs = try #require(answer["inputs"] as? [[String: Any]])
        #expect(inputs.map { $0["amount_sat"] as? Int } == [100_000, 100_000])
        #expect(inputs.allSatisfy { $0["mine"] as? Bool == true })
        let outputs = try #require(answer["outputs"] as? [[String: Any]])
        #expect(outputs.map { $0["amount_sat"] as? Int } == [180_000, 19_000])
        #expect(outputs.map { $0["change"] as? Bool } == [false, true])
    }

    /// What was signed completely can be sent: the command is named.
    @Test func theNextStepIsNamed() async throws {
        let workshop = try await Workshop()
        let psbt = try await workshop.writePSBT()
        let id = psbt.unsignedTransaction.id.description.prefix(12)
        let signed = try await workshop.tapkit("sign", "tx.psbt", "--yes").succeeded()
        #expect(signed.errorText.contains("Stored. Next: tapkit tx broadcast \(id)\n"))
    }

    @Test(arguments: PSBT.FileForm.allCases)
    func whatComesInAFormGoesOutInIt(_ form: PSBT.FileForm) async throws {
        let workshop = try await Workshop()
        let unsigned = try await workshop.writePSBT(as: form)
        let before = try workshop.bytes("tx.psbt")
        try await workshop.tapkit("sign", "tx.psbt", "-o", "out", "--yes").succeeded()
        #expect(try workshop.bytes("tx.psbt") == before)
        let signed = try workshop.psbt("out")
        #expect(signed.fileForm == form)
        #expect(signed.unsignedTransaction == unsigned.unsignedTransaction)
        #expect(try workshop.bytes("out") == signed.encoded(as: form))
        #expect(!FileManager.default.fileExists(atPath: workshop.folder.path("tx.signed.psbt")))

        let piped = try await workshop.tapkit("sign", "-", "--yes", input: Data(before)).succeeded()
        let named = try await workshop.tapkit("sign", "tx.psbt", "-o", "-", "--yes").succeeded()
        for output in [piped.output, named.output] {
            let signed = try PSBT(fileContent: Array(output))
            #expect(signed.fileForm == form)
            #expect(signed.unsignedTransaction == unsigned.unsignedTransaction)
            try await signed.expectVerified()
        }
    }

    /// What comes through a pipe has no place beside it for its signed form, which goes to standard output.
    @Test(arguments: ["/dev/stdin <tx.psbt", "/dev/fd/0 <tx.psbt", "<(cat tx.psbt)", "<(sleep 1; cat tx.psbt)"])
    func aPSBTComesThroughAPipe(_ input: String) async throws {
        let workshop = try await Workshop()
        let unsigned = try await workshop.writePSBT()
        for verb in ["review", "tx import"] { try await workshop.bash("tapkit \(verb) \(input)").succeeded() }
        let run = try await workshop.bash("tapkit sign --yes \(input)").succeeded()
        try await workshop.bash("tapkit sign --yes -o out \(input)").succeeded()
        for signed in [try PSBT(fileContent: Array(run.output)), try workshop.psbt("out")] {
            #expect(signed.unsignedTransaction == unsigned.unsignedTransaction)
            try await signed.expectVerified()
        }
        let answer = try await workshop.bash("tapkit sign --yes --json \(input)").succeeded().json()
        #expect(answer["complete"] as? Bool == true)
    }

    /// Whatever a mail program or a spreadsheet made of it.
    @Test(arguments: [PSBT.FileForm.base64, .hexadecimal], ["\n", "\r\n", " \t\r\n"])
    func textMayBeBrokenIntoLines(_ form: PSBT.FileForm, _ lineEnd: String) async throws {
        let workshop = try await Workshop()
        let unsigned = try await workshop.writePSBT(as: form)
        let text = String(decoding: try workshop.bytes("tx.psbt"), as: UTF8.self).filter { !$0.isWhitespace }
        var broken = lineEnd
        for (index, character) in text.enumerated() {
            broken.append(character)
            if index % 76 == 75 { broken += lineEnd }
        }
        broken += lineEnd + lineEnd
        try workshop.folder.write(broken, to: "broken.txt")
        try await workshop.tapkit("sign", "broken.txt", "--yes").succeeded()
        try await workshop.psbt("broken.signed.txt").expectVerified()
        let piped = try await workshop.tapkit("sign", "-", "--yes", input: Data(broken.utf8)).succeeded()
        let signed = try PSBT(fileContent: Array(piped.output))
        #expect(signed.fileForm == form && signed.unsignedTransaction == unsigned.unsignedTransaction)
    }

    @Test(arguments: PSBT.FileForm.allCases)
    func aFormCanBeAskedFor(_ form: PSBT.FileForm) async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        let name = [.binary: "binary", .base64: "base64", .hexadecimal: "hex"][form] ?? ""
        try await workshop.tapkit("sign", "tx.psbt", "-o", "out", "--form", name, "--yes").succeeded()
        #expect(try workshop.psbt("out").fileForm == form)
        let piped = try await workshop.tapkit("sign", "tx.psbt", "-o", "-", "--form", name, "--yes").succeeded()
        #expect(try PSBT(fileContent: Array(piped.output)).fileForm == form)
        #expect(form == .binary || piped.text.hasSuffix("\n"))
        try await workshop.tapkit("sign", "tx.psbt", "--form", "base58", "--yes", "--json").expectFailure(64, "usage")
    }

    @Test func extractGivesTheTransactionAlone() async throws {
        let workshop = try await Workshop()
        let unsigned = try await workshop.writePSBT()
        for arguments in [["-o", "out"], ["-o", "-"]] {
            let run = try await Subprocess.run(
                Subprocess.tapkit, ["sign", "tx.psbt", "--extract", "--yes"] + arguments,
                environment: workshop.environment, directory: workshop.folder.url
            ).succeeded()
            let text = run.text.trimmingCharacters(in: .newlines)
            #expect(try Transaction(serialized: Hex.decode(text)).id == unsigned.unsignedTransaction.id)
            try await Judges.expectTaken(text)
        }
    }

    @Test func signingAgainAddsNothingAndDoesNoHarm() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        let first = try await workshop.tapkit("sign", "tx.psbt", "--yes", "--json").succeeded().json()
        let second = try await workshop.tapkit("sign", "tx.psbt", "--yes", "--json").succeeded().json()
        #expect(second["signed"] as? Int == 0)
        #expect(second["tx"] as? String == first["tx"] as? String)
    }

    @Test func aFileThatIsNotTheSignedFormIsNotOverwrittenUnasked() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        try workshop.folder.write("precious", to: "tx.signed.psbt")
        for named in [[], ["-o", "tx.signed.psbt"]] {
            let run = try await workshop.tapkit(["sign", "tx.psbt", "--yes", "--json"] + named)
            try run.expectFailure(73, "would_overwrite")
            #expect(try workshop.bytes("tx.signed.psbt") == Array("precious".utf8))
        }
        try await workshop.tapkit("sign", "tx.psbt", "--force", "--yes").succeeded()
        try await workshop.psbt("tx.signed.psbt").expectVerified()
        // The signed form of this PSBT is none that could be lost.
        try await workshop.tapkit("sign", "tx.psbt", "-o", "tx.signed.psbt", "--yes").succeeded()
    }

    @Test func theCardGetsItsPathBack() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        try await workshop.tapkit("derive", "m/84h/1h/7h").succeeded()
        let run = try await workshop.tapkit("sign", "tx.psbt", "--json", "--yes").succeeded()
        #expect(try run.json()["signed"] as? Int == 1)
        #expect(try await workshop.cardPath() == "m/84h/1h/7h")
    }

    @Test func withoutATerminalNobodyConfirms() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        try await workshop.tapkit("derive", "m/84h/1h/7h").succeeded()
        let run = try await workshop.tapkit("sign", "tx.psbt", "--json")
        try run.expectFailure(64, "confirmation_needed")
        #expect(try run.hint().contains("--yes"))
        #expect(run.errorText.contains("You pay 0.00090000 test BTC to"))
        #expect(try await workshop.cardPath() == "m/84h/1h/7h")
        #expect(!FileManager.default.fileExists(atPath: workshop.folder.path("tx.signed.psbt")))
    }

    @Test func anotherCardsTransactionIsNotSigned() async throws {
        let workshop = try await Workshop()
        try await Workshop().writePSBT(to: "other")
        let foreign = try SampleWallet(seed: 9).psbt()
        try Data(foreign.serialized()).write(to: workshop.folder.url.appendingPathComponent("tx.psbt"))
        let run = try await workshop.tapkit("sign", "tx.psbt", "--yes", "--json")
        try run.expectFailure(65, "nothing_to_sign")
        #expect(try !run.hint().isEmpty)
    }

    @Test func whatTheCardCannotCompleteIsKeptAndNotExtracted() async throws {
        let workshop = try await Workshop()
        let mine = try await workshop.writePSBT()
        let foreign = try SampleWallet(seed: 9).psbt()
        var psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: mine.unsignedTransaction.inputs + foreign.unsignedTransaction.inputs,
                outputs: mine.unsignedTransaction.outputs))
        psbt.setInputs(mine.inputs + foreign.inputs)
        psbt.setOutputs(mine.outputs)
        try Data(psbt.serialized()).write(to: workshop.folder.url.appendingPathComponent("tx.psbt"))
        let run = try await workshop.tapkit("sign", "tx.psbt", "--extract", "--yes", "--accept", "fee_high", "--json")
        let document = try run.expectFailure(65, "not_complete")
        #expect(document["saved"] as? String == "tx.signed.psbt")
        #expect(try workshop.psbt("tx.signed.psbt").inputs.map(\.isFinal) == [true, false])
        let again = try await workshop.tapkit(
            "sign", "tx.psbt", "--yes", "--accept", "fee_high", "--json"
        ).succeeded().json()
        #expect(again["complete"] as? Bool == false)
        #expect(again["txid"] == nil)
    }
}
