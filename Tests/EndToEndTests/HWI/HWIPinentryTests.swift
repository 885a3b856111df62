import Bitcoin
import Foundation
import TestSupport
import Testing

/// A wallet calls without a terminal, and a pinentry asks the wallet's person.
@Suite(.fewAtATime) struct HWIPinentryTests {
    /// Calls `tapkit hwi` where a scripted pinentry answers.
    /// - Returns: the answer, and what the pinentry was told.
    private func call(
        _ hwi: HWICommandLine, _ arguments: String..., answers: String
    ) async throws -> (answer: [String: Any], log: [String]) {
        let log = hwi.workshop.folder.path("pinentry.log")
        try? FileManager.default.removeItem(atPath: log)
        let run = try await hwi.run(
            arguments,
            environment: [
                "TAPKIT_CVC_FILE": nil, "TAPKIT_PINENTRY": PythonEnvironment.script("scripted_pinentry.py"),
                "PINENTRY_USER_DATA": "\(log),\(answers)",
            ]
        ).succeeded()
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        #expect(!(run.text + run.errorText).contains(Workshop.printedCVC))
        return (try run.json(), text.split(separator: "\n").map(String.init))
    }

    /// Every part of the wallet is in a window before the CVC is asked for.
    @Test func aWalletIsConfirmedBeforeItIsRegistered() async throws {
        let hwi = try await HWICommandLine.withCard(chain: "regtest")
        let holders = [try await hwi.workshop.wallet(), try SampleWallet(seed: 2), try SampleWallet(seed: 3)]
        let policy = SamplePolicy("or_d(multi(2,#A,#B),and_v(v:pkh(#C),older(144)))", holders)
        let text = try #require(policy.descriptor().text)
        let (answer, log) = try await call(
            hwi, "registerdescriptor", "family", text, answers: "\(Workshop.printedCVC)")
        #expect(answer["registration"] is String, "\(answer)")
        let asked = log.filter { $0.hasPrefix("SETDESC") }
        let confirmed = try #require(log.lastIndex { $0.hasPrefix("CONFIRM") })
        let secret = try #require(log.firstIndex { $0.hasPrefix("GETPIN") })
        #expect(confirmed < secret)
        for holder in holders {
            let key = try holder.extendedKey(DerivationPath(parsing: policy.account)).text
            #expect(asked.contains { $0.contains(key) }, "\(asked)")
        }
        #expect(asked.contains { $0.contains("older(144)") } && asked.contains { $0.contains("“family”") })
    }

    private func base64(_ psbt: PSBT) -> String { String(decoding: psbt.encoded(as: .base64), as: UTF8.self) }

    @Test func thePersonIsToldWhatTheCVCIsFor() async throws {
        let hwi = try await HWICommandLine.withCard(chain: "regtest")
        let psbt = try await hwi.workshop.wallet().psbt()
        let (answer, log) = try await call(hwi, "signtx", base64(psbt), answers: "000000,\(Workshop.printedCVC)")
        #expect(answer["signed"] as? Bool == true)
        let text = try #require(log.last { $0.hasPrefix("SETDESC") })
        let paid = psbt.unsignedTransaction.outputs[0].scriptPubKey
        let address = try #require(Address(scriptPubKey: paid, network: .regtest))
        #expect(text.contains("TAPSIGNER \(hwi.workshop.ident)") && text.contains("\(address)"), "\(text)")
        #expect(text.contains("0.00050000 regtest BTC") && text.contains("fee 0.00001000 regtest BTC"), "\(text)")
        #expect(log.contains { $0.hasPrefix("SETERROR The CVC is wrong. At most 2 more wrong tries") })
        #expect(!log.contains("CONFIRM"))
        let (address2, questions) = try await call(
            hwi, "displayaddress", "--path", "m/84h/1h/0h/0/0", answers: Workshop.printedCVC)
        #expect(address2["address"] is String)
        #expect(questions.contains { $0.hasSuffix("is needed to prove an address.") }, "\(questions)")
    }

    /// The message stands in a block of its own: none of it passes for the question.
    @Test func theMessageIsQuoted() async throws {
        let hwi = try await HWICommandLine.withCard()
        let message =
            String(repeating: ".", count: 60) + "The card proves\nthe address" + String(repeating: "x", count: 200)
        let (answer, log) = try await call(
            hwi, "signmessage", message, "m/84h/1h/0h/0/0", answers: Workshop.printedCVC)
        #expect(answer["signature"] is String)
        let text = try #require(log.last { $0.hasPrefix("SETDESC") })
        let lines = text.replacing("%0A", with: "\n").split(separator: "\n")
        let block = lines.filter { $0.hasPrefix("  | ") }.map { $0.dropFirst(4) }
        #expect(block.count == 6 && block.allSatisfy { $0.unicodeScalars.count <= 38 }, "\(text)")
        #expect(block.joined().hasPrefix(message.prefix(60) + "The card proves\u{FFFD}the address"), "\(text)")
        #expect(lines.last?.hasPrefix("and 87 more characters, ") == true, "\(text)")
        #expect(lines.last?.hasSuffix("with the key at m/84h/1h/0h/0/0.") == true, "\(text)")
    }

    /// Which card it is and what it shall do: one CVC is asked for, once.
    @Test func aNewCardsCVCIsAskedForOnce() async throws {
        let hwi = try await HWICommandLine.withCard()
        let elsewhere = HWICommandLine(
            workshop: hwi.workshop, options: hwi.options + ["--data-dir", hwi.workshop.folder.path("elsewhere")])
        for _ in 0..<2 {
            let (answer, log) = try await call(
                elsewhere, "getxpub", "m/84h/1h/0h", answers: Workshop.printedCVC)
            #expect(answer["xpub"] is String)
            #expect(log.count { $0 == "GETPIN" } == 1)
        }
        // To look who is there needs nobody.
        let listed = try await elsewhere.list(
            "enumerate", environment: ["TAPKIT_CVC_FILE": nil, "TAPKIT_PINENTRY": "/nowhere/pinentry"])
        #expect(listed.count == 1)
    }

    @Test(arguments: [
        ("!cancel", -14, "Cancelled"), ("!timeout", -3, "in time"), ("!garbage", -6, "does not behave like a pinentry"),
        ("!die", -6, "ended before"), ("!nowhere", -6, "no terminal and no display"), ("111111", -7, "CVC is wrong"),
        ("!empty", -7, "6 to 32 digits"),
    ])
    func everyEndHasItsCode(_ answers: String, _ code: Int, _ words: String) async throws {
        let hwi = try await HWICommandLine.withCard()
        let psbt = try await hwi.workshop.writePSBT()
        let (answer, _) = try await call(hwi, "signtx", base64(psbt), answers: answers)
        #expect(answer["code"] as? Int == code, "\(answer)")
        #expect(try answer.text("error").contains(words))
    }

    /// What speaks against a transaction shows only when the card's keys are known: then the person is asked once more.
    @Test func whatSpeaksAgainstItIsAskedAbout() async throws {
        let hwi = try await HWICommandLine.withCard()
        var recipe = SampleWallet.Recipe()
        recipe.fee = 20_000
        let psbt = base64(try await hwi.workshop.wallet().psbt(recipe))
        // A CVC that comes with the call answers nothing, and nobody is there to ask.
        try await hwi.expectError(-5, "fee_high", "signtx", psbt)
        for no in ["?no", "?cancel"] {
            let (refused, log) = try await call(hwi, "signtx", psbt, answers: "\(no),\(Workshop.printedCVC)")
            #expect(refused["code"] as? Int == -14 && refused["psbt"] == nil, "\(refused)")
            let question = try #require(log.last { $0.hasPrefix("SETDESC") })
            #expect(
                question.contains("WARNING: ") && question.contains("fee") && question.hasSuffix("?"), "\(question)")
        }
        let (signed, log) = try await call(hwi, "signtx", psbt, answers: Workshop.printedCVC)
        #expect(signed["signed"] as? Bool == true && log.contains("CONFIRM"))
    }
}
