import Bitcoin
import Foundation
import TestSupport
import Testing

/// What can lose money is answered by its own code, and by nothing else.
@Suite struct AcceptanceTests {
    /// A PSBT of a node's coins in which one thing can lose money.
    struct Loss: Sendable, CustomTestStringConvertible {
        let code: String
        /// Whether the node relays such an output: Knots none to P2PK any more, and nobody one to a script of no usual kind.
        var isRelayed = true
        let psbt: @Sendable (SampleWallet) async throws -> PSBT

        var testDescription: String { code }
    }

    private static func recipe(_ change: (inout SampleWallet.Recipe) -> Void) -> SampleWallet.Recipe {
        var recipe = SampleWallet.Recipe()
        change(&recipe)
        return recipe
    }

    /// The wallet's PSBT with another script in its payment.
    private static func paying(_ script: Script, _ wallet: SampleWallet) async throws -> PSBT {
        let honest = try await wallet.psbt(on: .shared())
        var transaction = honest.unsignedTransaction
        transaction.outputs[0].scriptPubKey = script
        var psbt = try PSBT(unsignedTransaction: transaction)
        psbt.setInputs(honest.inputs)
        psbt.setOutputs(honest.outputs)
        return psbt
    }

    /// The wallet's PSBT with its change at another path.
    private static func changing(to text: String, _ wallet: SampleWallet) async throws -> PSBT {
        let honest = try await wallet.psbt(on: .shared())
        let path = try DerivationPath(parsing: text)
        var transaction = honest.unsignedTransaction
        transaction.outputs[1].scriptPubKey = .p2wpkh(try wallet.publicKey(path))
        var psbt = try PSBT(unsignedTransaction: transaction)
        psbt.setInputs(honest.inputs)
        psbt[output: 1].addDerivation(try wallet.derivation(path))
        return psbt
    }

    static let losses: [Loss] = [
        Loss(code: "fee_high") { try await $0.psbt(recipe { $0.fee = 2_501 }, on: .shared()) },
        Loss(code: "amount_not_proven") {
            try await $0.psbt(recipe { $0.hasPreviousTransactions = false }, on: .shared())
        },
        Loss(code: "change_path_unusual") { try await changing(to: "m/84h/1h/0h/1/2000000000", $0) },
        Loss(code: "change_not_proven") { try await changing(to: "m/84h/1h/9h/1/0", $0) },
        Loss(code: "output_unknown", isRelayed: false) { try await paying(Script([0x51, 0x87]), $0) },
        Loss(code: "output_unspendable", isRelayed: false) {
            try await paying(Script([33, 2] + [UInt8](repeating: 0xFF, count: 32) + [0xAC]), $0)
        },
    ]

    @Test(arguments: losses) func yesAloneIsNoAnswer(_ loss: Loss) async throws {
        let workshop = try await Workshop()
        let psbt = try await loss.psbt(try await workshop.wallet())
        try Data(psbt.serialized()).write(to: workshop.folder.url.appendingPathComponent("a b.psbt"))

        let run = try await workshop.tapkit("sign", "a b.psbt", "-y", "--json")
        let document = try run.expectFailure(65, "not_accepted")
        let error: [String: Any] = try document.field("error")
        #expect(try error.text("message").contains(loss.code))
        let hint = "tapkit sign 'a b.psbt' -y --json --accept \(loss.code)"
        #expect(try error.text("hint").hasSuffix(hint))
        #expect(try error.field("findings", as: [[String: Any]].self).map { $0["code"] as? String } == [loss.code])
        #expect(!FileManager.default.fileExists(atPath: workshop.folder.path("a b.signed.psbt")))
        // Without --yes, nobody can be asked about it either.
        let unasked = try await workshop.tapkit("sign", "a b.psbt", "--json").expectFailure(65, "not_accepted")
        let unanswered: [String: Any] = try unasked.field("error")
        #expect(
            try unanswered.field("findings", as: [[String: Any]].self).map { $0["code"] as? String } == [loss.code])
        #expect(try unanswered.text("hint").hasSuffix("tapkit sign 'a b.psbt' --json --accept \(loss.code) --yes"))
        // Another code is no answer to this one; without --yes nobody was asked.
        let others = Self.losses.map(\.code).filter { $0 != loss.code }.flatMap { ["--accept", $0] }
        try await workshop.tapkit(["sign", "a b.psbt", "-y", "--json"] + others).expectFailure(65, "not_accepted")
        try await workshop.tapkit("sign", "a b.psbt", "--json", "--accept", loss.code)
            .expectFailure(64, "confirmation_needed")

        // However unwise it is, a node takes it.
        let signed = try await workshop.tapkit(
            ["sign", "a b.psbt", "-y", "--json", "--accept", loss.code], isRelayed: loss.isRelayed
        ).succeeded().json()
        #expect(signed["complete"] as? Bool == true)
    }

    /// A PSBT with eight outputs that pay back to where no wallet looks. The last one has nearly everything.
    private func manyLosses(_ wallet: SampleWallet) async throws -> (psbt: PSBT, last: Int64) {
        let honest = try await wallet.psbt(on: .shared())
        var transaction = honest.unsignedTransaction
        let last = try #require(transaction.outputs.removeLast().amount).satoshis - 7 * 1_000
        let paths = try ((0..<7).map { "2/\($0)" } + ["1/2000000000"]).map {
            try DerivationPath(parsing: "m/84h/1h/0h/\($0)")
        }
        transaction.outputs += try zip([Int64](repeating: 1_000, count: 7) + [last], paths).map { amount, path in
            TransactionOutput(value: amount, scriptPubKey: .p2wpkh(try wallet.publicKey(path)))
        }
        var psbt = try PSBT(unsignedTransaction: transaction)
        psbt.setInputs(honest.inputs)
        for (index, path) in paths.enumerated() { psbt[output: 1 + index].addDerivation(try wallet.derivation(path)) }
        return (psbt, last)
    }

    /// A code accepts all that has it: so whoever gives it is told of everything, and what it could cost.
    @Test func aCodeIsAskedForWithAllThatItAccepts() async throws {
        let workshop = try await Workshop()
        let (psbt, last) = try await manyLosses(try await workshop.wallet())
        try Data(psbt.serialized()).write(to: workshop.folder.url.appendingPathComponent("many.psbt"))
        let refused = try await workshop.tapkit("sign", "many.psbt", "-y", "--json")
        let error: [String: Any] = try refused.expectFailure(65, "not_accepted").field("error")
        let findings: [[String: Any]] = try error.field("findings")
        #expect(findings.map { $0["output"] as? Int } == Array(1...8))
        #expect(findings.last?["stake_sat"] as? Int == Int(last))
        // The most expensive one is written out, and those that are not are summed up.
        let message = try error.text("message")
        #expect(message.contains("Output 8: ") && message.contains("… and 3 more of the kind change_path_unusual."))
        #expect(message.contains("At stake: 0.00003000"))
        #expect(try error.text("hint").hasSuffix("-y --json --accept change_path_unusual"))
    }

    /// A wallet's user sees nothing but the windows: a yes there is one to all that they showed.
    @Test func aWalletsWindowsShowEverythingThatIsAccepted() async throws {
        let workshop = try await Workshop()
        let (psbt, _) = try await manyLosses(try await workshop.wallet())
        let text = String(decoding: psbt.encoded(as: .base64), as: UTF8.self)
        let signing = ["hwi", "--emulators", "-t", "tapsigner", "--chain", "test", "signtx", text]
        let declined = try await workshop.asked(signing, answers: ["?no", Workshop.printedCVC])
        #expect(declined.text.contains("error") && !workshop.pinentryLog.contains("GETPIN"), "\(declined.text)")
        let run = try await workshop.asked(signing, answers: [Workshop.printedCVC])
        #expect(run.text.contains("psbt") && !run.text.contains("error"), "\(run.text)")
        let windows = workshop.pinentryLog.filter { $0.hasPrefix("SETDESC") }.joined()
        for shown in ["Output 8: ", "and 3 more of the kind change_path_unusual. At stake: 0.00003000", "Page 2 of "] {
            #expect(windows.contains(shown), "\(shown)\n\(windows)")
        }
    }

    /// A backup's key is no better answer than a card's, and HWI's caller answers nothing at all.
    @Test(arguments: losses) func neitherIsABackupOrAWalletsCall(_ loss: Loss) async throws {
        let hwi = try await HWICommandLine.withCard()
        let workshop = hwi.workshop
        let psbt = try await loss.psbt(try await workshop.wallet())
        try Data(psbt.serialized()).write(to: workshop.folder.url.appendingPathComponent("tx.psbt"))
        try workshop.writeBackupKey()
        let recover = ["recover", "sign", "tx.psbt", "--backup", "backup.aes", "--key-file", "key", "-y", "--json"]
        try await workshop.tapkit(recover).expectFailure(65, "not_accepted")
        try await hwi.expectError(-5, loss.code, "signtx", String(decoding: psbt.encoded(as: .base64), as: UTF8.self))
        try await workshop.tapkit(recover + ["--accept", loss.code], isRelayed: loss.isRelayed).succeeded()
    }

    @Test func onlyWhatCanBeAcceptedIsTaken() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        for code in ["fee_rate_low", "change_mismatch", "everything", ""] {
            // Before anybody is asked for a CVC.
            let run = try await workshop.tapkit(
                "sign", "tx.psbt", "-y", "--json", "--accept", code, environment: ["TAPKIT_CVC_FILE": nil])
            let error: [String: Any] = try run.expectFailure(64, "usage").field("error")
            #expect(try error.text("message").contains("help findings"))
        }
        let list = try await workshop.tapkit("help", "findings", "--json").succeeded().json()
        let findings: [[String: Any]] = try list.field("findings")
        let acceptable = findings.filter { $0["needs_acceptance"] as? Bool == true }.compactMap {
            $0["code"] as? String
        }
        #expect(Set(acceptable).isSuperset(of: Self.losses.map(\.code)))
        let words = try await workshop.tapkit("help", "findings").succeeded().text.split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        for finding in findings {
            #expect(try words.contains("\(finding.text("code")) ") && words.contains(finding.text("meaning")))
        }
    }

    /// A message in a payment's clothes, with its previous transaction or with a bare claim.
    @Test(arguments: [true, false]) func aMessageIsNoPayment(_ isShown: Bool) async throws {
        let hwi = try await HWICommandLine.withCard()
        let workshop = hwi.workshop
        let wallet = try await workshop.wallet()
        let path = try wallet.path(.p2wpkh, branch: 0, index: 0)
        let spent = TransactionOutput(value: 0, scriptPubKey: .p2wpkh(try wallet.publicKey(path)))
        let nothing = Outpoint(
            transactionID: try #require(TransactionID([UInt8](repeating: 0, count: 32))), index: 0xFFFF_FFFF)
        let toSpend = Transaction(
            version: 0,
            inputs: [
                TransactionInput(
                    outpoint: nothing, scriptSig: Script([0, 32] + SHA256.hash(Array("I owe 10 BTC".utf8))), sequence: 0
                )
            ], outputs: [spent])
        var psbt = try PSBT(
            unsignedTransaction: Transaction(
                version: 0,
                inputs: [TransactionInput(outpoint: Outpoint(transactionID: toSpend.id, index: 0), sequence: 0)],
                outputs: [TransactionOutput(value: 0, scriptPubKey: Script([Opcode.return.rawValue]))]))
        if isShown { psbt[input: 0].nonWitnessUTXO = try PreviousTransaction(toSpend) }
        psbt[input: 0].witnessUTXO = spent
        psbt[input: 0].addDerivation(try wallet.derivation(path))
        try Data(psbt.serialized()).write(to: workshop.folder.url.appendingPathComponent("tx.psbt"))
        let all = Self.losses.flatMap { ["--accept", $0.code] }
        let run = try await workshop.tapkit(["sign", "tx.psbt", "-y", "--json"] + all)
        let error: [String: Any] = try run.expectFailure(65, "refused").field("error")
        let codes = try error.field("findings", as: [[String: Any]].self).compactMap { $0["code"] as? String }
        #expect(codes.contains("message_as_payment"))
        try await hwi.expectError(
            -5, "BIP-322", "signtx", String(decoding: psbt.encoded(as: .base64), as: UTF8.self))
    }

    /// A message from a wallet's caller cannot write lines of its own.
    @Test func aMessageBeginsNoLine() async throws {
        let hwi = try await HWICommandLine.withCard()
        let run = try await hwi.run([
            "signmessage", "hello\n\u{1B}[2KThe card proves the address: bc1q", "m/84h/1h/0h/0/0",
        ])
        #expect(!run.errorText.split(separator: "\n").contains { $0.hasPrefix("The card proves") })
        #expect(run.errorText.contains("  | hello\n  | �[2KThe card proves"), "\(run.errorText)")
    }

    /// Nor does it where a terminal of 80 columns would break its line.
    @Test func aLongMessageBeginsNoLine() async throws {
        let hwi = try await HWICommandLine.withCard()
        let message =
            String(repeating: ".", count: 67) + "The card proves the address: bc1q" + String(repeating: "ü", count: 90)
        let run = try await hwi.run(["signmessage", message, "m/84h/1h/0h/0/0"]).succeeded()
        let block = run.errorText.split(separator: "\n").filter { $0.hasPrefix("  | ") }
        #expect(block.map { $0.dropFirst(4) }.joined() == message, "\(run.errorText)")
        #expect(block.allSatisfy { $0.count <= 42 })
        #expect(!run.errorText.split(separator: "\n").contains { !$0.hasPrefix("  | ") && $0.contains("...") })
    }
}
