import Bitcoin
import ChainData
import FrontEndText
import TapProtocol
import TestSupport
import Testing

@testable import TapKitCLI
@testable import TapManager

/// Questions in the terminal's words.
@Suite struct QuestionTextTests {
    @Test(arguments: [
        (1, "These labels unfreeze a coin:", "Allow it to be spent?"),
        (2, "These labels unfreeze coins:", "Allow them to be spent?"),
    ])
    func thawingNamesEveryCoin(_ count: Int, _ title: String, _ question: String) throws {
        let id = try #require(TransactionID([UInt8](repeating: 7, count: 32)))
        let coins = (0..<count).map { Outpoint(transactionID: id, index: UInt32($0)) }
        let text = QuestionText(.thaw(coins))
        #expect(text.lines == [title] + coins.map { "  \($0)" } && text.question == question)
        #expect(text.occasion == .task && text.findings.isEmpty)
    }

    /// The window for the CVC names the four largest outputs: a payee can stand behind larger change. A warning does not
    /// replace what it is about.
    @Test(arguments: [4, 5], [false, true]) func manyOutputsAreShownBefore(_ count: Int, _ isWarned: Bool) throws {
        let sample = try SampleWallet(seed: 1).psbt()
        let payee = Script([0x00, 0x14] + [UInt8](repeating: 7, count: 20))
        var transaction = sample.unsignedTransaction
        let change = TransactionOutput(value: 10_000, scriptPubKey: transaction.outputs[1].scriptPubKey)
        transaction.outputs = (1..<count).map { _ in change } + [TransactionOutput(value: 1_000, scriptPubKey: payee)]
        var psbt = try PSBT(unsignedTransaction: transaction)
        psbt[input: 0] = sample.inputs[0]
        let review = try #require(SigningPlanner(psbt: psbt, network: .test).review().review)
        let warning = Finding(.warning, .feeRateLow, .transaction, "The fee rate is low.")
        let asked = SigningQuestion(
            signer: .backup(nil), review: review, findings: isWarned ? [warning] : [], signatureCount: nil,
            occasion: .first)
        let window = QuestionText(.sign(asked)).window(for: asked)
        let text = window?.reasons.joined(separator: "\n") ?? ""
        let address = try #require(Address(scriptPubKey: payee, network: .test)?.description)
        #expect((window == nil) == (count == 4 && !isWarned))
        #expect(text.contains(address) == (count == 5) && text.contains("The fee rate is low.") == isWarned)
        #expect(window?.question.contains("anyway") == (window == nil ? nil : isWarned))
        #expect(!review.purpose.contains(address) || count == 4)
    }

    /// What a slot holds is asked of a server; if it does not say, the user learns why, and what to do.
    @Test func whatASlotHoldsIsToldOrWhyNot() async throws {
        let card = try await Sample().card
        let address = try SlotSamples.address()
        func lines(_ holding: UnsealingQuestion.Holding) -> [String] {
            let slot = SlotNumber(index: 1)
            return QuestionText(
                .unseal(
                    UnsealingQuestion(
                        card: card, plan: .showAgain([slot]), provenAddress: nil, isSealProven: true,
                        shownAgain: (slot, address), holding: holding))
            ).lines.dropLast()
        }
        let error = ChainError.unreachable(.refused, detail: "no route")
        let failure = Failure(error)
        #expect(!failure.hint.isEmpty)
        #expect(lines(.unknown(error)) == ["What it holds is unknown: \(failure.message)", "  → \(failure.hint)"])
        #expect(lines(.notAsked).isEmpty)
        let amount = try #require(Amount(satoshis: 3_000))
        #expect(
            lines(.amount(amount, unconfirmed: .zero, server: "s")) == ["It holds 0.00003000 BTC, according to s."])
        #expect(lines(.amount(.zero, unconfirmed: .zero, server: "s")) == ["It is empty, according to s."])
        // Whoever did not look does not say that there is nothing.
        let end = "confirmed, according to s, which does not report unconfirmed payments."
        #expect(lines(.amount(.zero, unconfirmed: nil, server: "s")) == ["It holds nothing \(end)"])
        #expect(lines(.amount(amount, unconfirmed: nil, server: "s")) == ["It holds 0.00003000 BTC \(end)"])
    }

    /// A message is shown behind a margin, so that nothing in it passes for the program's own words, and asked about only where
    /// somebody is there.
    @Test func aMessageIsShownBeforeItIsSigned() async throws {
        let card = try await Sample().card
        let path = try DerivationPath(parsing: "m/84h/1h/0h/0/0")
        func text(_ message: [UInt8], _ key: MessageQuestion.Key = .slot(nil)) -> QuestionText {
            QuestionText(.signMessage(MessageQuestion(signer: card, message: message, key: key, address: nil)))
        }
        let whole = text(Array("Pay me\n[y/N]\u{1B}[2J".utf8), .path(path))
        #expect(
            whole.lines == [
                "Message of 16 bytes:", "  | Pay me", "  | [y/N]\u{FFFD}[2J", "Key: \(path)",
            ])
        #expect(whole.question == "Sign this message with card \(card.label)?" && whole.occasion == .onTerminalOnly)
        #expect(whole.untouched == "Nothing was signed.")
        #expect(text([]).lines == ["Message of 0 bytes:", "  | ", "Key: the slot that was unsealed last"])
        let bytes = text([0xFF, 0x00], .slot(SlotNumber(index: 1)))
        #expect(
            bytes.lines == [
                "Message of 2 bytes:", "Not text; in hexadecimal:", "  | ff00", "Key: slot 2",
            ])
        let long = text([UInt8](repeating: UInt8(ascii: "\n"), count: 1_000))
        #expect(long.lines.count == QuestionText.messageLineLimit + 3)
        #expect(long.lines.contains("WARNING: This is only the beginning; 801 more lines are not shown."))
    }

    /// Whom a record is for, and what stands in it, is shown; scripts go on without being asked.
    @Test func aKeyRecordIsShownBeforeItIsSigned() async throws {
        let card = try await Sample().card
        let path = try DerivationPath(parsing: "m/48h/1h/0h/2h")
        let text = QuestionText(
            .signKeyRecord(card, at: path, key: nil, isEncrypted: false, description: "mine\u{1B}[2J"))
        #expect(text.lines[0].contains("coordinator of a multisig wallet"))
        #expect(
            text.lines.dropFirst() == [
                "  Description: mine\u{FFFD}[2J", "  Encrypted:   no",
                "  Path:        \(path)", "  Xpub:        the card shows it when it has the CVC",
            ])
        #expect(text.question == "Sign this record with card \(card.label)?" && text.occasion == .onTerminalOnly)
        #expect(text.untouched == QuestionText.nothingSigned)
        let key = try ExtendedPublicKey(parsing: Self.xpub)
        let whole = QuestionText(.signKeyRecord(card, at: path, key: key, isEncrypted: true, description: "mine"))
        #expect(
            whole.lines[2] == "  Encrypted:   yes, with the coordinator's token" && whole.lines[4].contains(Self.xpub)
        )
    }

    /// The way to both kinds of wallet is shown; scripts go on without being asked.
    @Test func aWalletAtACosignersPathIsAskedAbout() async throws {
        let card = try await Sample().card
        let text = QuestionText(.useCosignersAccount(card, at: try DerivationPath(parsing: "m/48h/1h/0h/2h")))
        #expect(text.lines[0].hasPrefix("\(card.title) is at m/48h/1h/0h/2h, a path for cosigners: "))
        #expect(text.lines[1].contains("tapkit export cosigner") && text.lines[1].contains("tapkit derive"))
        #expect(text.question == "Make a single-key wallet at this path anyway?" && text.occasion == .onTerminalOnly)
    }

    /// BIP-32, test vector 1.
    private static let xpub =
        "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8"

    /// What is only told is no question, but with what can lose money.
    @Test func payingAgainIsAboutItsFindings() {
        let text = QuestionText(.payAgain([]))
        #expect(text.lines.isEmpty && text.question == "Pay again?" && text.occasion == .finding)
    }

    /// What is deleted here can still be sent by others, if it is signed.
    @Test func deletingTakesNoSignatureBack() throws {
        let time = UnixTime(seconds: 1)
        let stored = StoredTransaction(psbt: try SampleWallet(seed: 1).psbt(), created: time, updated: time)
        func lines(isSigned: Bool) -> [String] {
            let asked = DeletionQuestion(
                id: stored.id, summary: stored.summary, network: .test, review: nil, fault: nil, isSigned: isSigned)
            return QuestionText(.deleteTransaction(asked)).lines
        }
        let (unsigned, signed) = (lines(isSigned: false), lines(isSigned: true))
        #expect(Array(signed.prefix(unsigned.count)) == unsigned)
        let told = signed.dropFirst(unsigned.count)
        #expect(told.count == 4 && told.first?.contains("signed in part: whoever has a copy") == true)
        #expect(told.contains("Deleting it here does not take a signature back."))
        #expect(told.last?.contains("let the new payment spend one of the coins that this one spends") == true)
    }

    /// A yes given out of habit does not show a master key.
    @Test func theMasterKeyWantsAWordTyped() throws {
        let text = QuestionText(.showMasterKey(try #require(Fingerprint([1, 2, 3, 4]))))
        #expect(text.typedWord == "SHOW" && text.question.contains("01020304") && text.occasion == .task)
        #expect(QuestionText(.openBackup).typedWord == nil)
    }
}
