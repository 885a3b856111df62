import Foundation
import TestSupport
import Testing

/// A CVC or a key that a pinentry asks for, since there is no terminal.
@Suite(.fewAtATime) struct PinentryVerbTests {
    /// Runs `tapkit` without a terminal, with a scripted pinentry.
    /// - Returns: the run, and what the pinentry was told.
    private func run(
        _ workshop: Workshop, _ arguments: String..., answers: String
    ) async throws -> (run: Subprocess, log: [String]) {
        let run = try await workshop.asked(arguments, answers: [answers])
        return (run, workshop.pinentryLog)
    }

    private func count(_ line: String, in log: [String]) -> Int { log.count { $0 == line } }

    /// Mistyped twice: the person is told how many tries are left, and the card signs in the end.
    @Test func aMistypedCVCIsAskedForAgain() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT(inputs: 2)
        let (run, log) = try await run(
            workshop, "sign", "tx.psbt", "--yes", "--json", answers: "000000,111111,\(Workshop.printedCVC)")
        let answer = try run.succeeded().json()
        #expect(answer["signed"] as? Int == 2)
        #expect(count("GETPIN", in: log) == 3)
        let texts = log.filter { $0.hasPrefix("SETDESC") }
        #expect(texts.count == 3)
        #expect(
            texts.allSatisfy {
                $0.hasPrefix("SETDESC The CVC of TAPSIGNER \(workshop.ident) (SIMULATED)%0A")
                    && $0.contains("is needed to sign a transaction that pays ")
                    && $0.hasSuffix("; fee 0.00001000 test BTC.")
            }, "\(texts)")
        let errors = log.filter { $0.hasPrefix("SETERROR") }
        #expect(
            errors == [
                "SETERROR The CVC is wrong. At most 2 more wrong tries before the card locks for 15 s.",
                "SETERROR The CVC is wrong. At most 1 more wrong try before the card locks for 15 s.",
            ])
        #expect(!(run.text + run.errorText).contains(Workshop.printedCVC))
    }

    /// What cannot be a CVC is not sent to the card, and asked for again all the same.
    @Test func whatIsNoCVCIsAskedForAgain() async throws {
        let workshop = try await Workshop()
        let (run, log) = try await run(workshop, "xpub", "--json", answers: "12345,abcdef,\(Workshop.printedCVC)")
        try run.succeeded()
        #expect(count("GETPIN", in: log) == 3)
        let errors = log.filter { $0.hasPrefix("SETERROR") }
        #expect(errors.count == 2 && errors.allSatisfy { $0.contains("A CVC ") }, "\(errors)")
        let (often, again) = try await self.run(workshop, "xpub", "--json", answers: "12345")
        try often.expectFailure(77, "bad_cvc")
        #expect(count("GETPIN", in: again) == 3)
    }

    @Test func afterThreeWrongOnesNobodyIsAskedAgain() async throws {
        let workshop = try await Workshop()
        let (run, log) = try await run(workshop, "xpub", "--json", answers: "000000,111111,222222,333333")
        try run.expectFailure(77, "wrong_cvc")
        #expect(count("GETPIN", in: log) == 3)
        #expect(try await workshop.tapkit("status", "--json").json()["auth_delay_s"] as? Int == 15)
    }

    /// The card sees a wrong CVC once, however often it is typed.
    @Test func theSameWrongCVCIsNotSentAgain() async throws {
        let workshop = try await Workshop()
        let (run, log) = try await run(workshop, "xpub", "--json", answers: "000000")
        try run.expectFailure(77, "wrong_cvc")
        #expect(count("GETPIN", in: log) == 3)
        #expect(log.contains { $0.hasPrefix("SETERROR The card already rejected this CVC, so it was not sent again.") })
        #expect(try await workshop.tapkit("status", "--json").json()["auth_delay_s"] as? Int == 0)
        // One wrong try was spent: two more are free.
        let next = try await workshop.tapkit("xpub", "--json", "--cvc-file", "-", input: Data("000000\n".utf8))
        try next.expectFailure(77, "wrong_cvc")
        #expect(try await workshop.tapkit("status", "--json").json()["auth_delay_s"] as? Int == 0)
    }

    @Test(
        arguments: [
            ("!cancel", 130, "cancelled", "Cancelled: no CVC was entered."),
            ("!timeout", 75, "timed_out", "in time"),
            ("!nowhere", 77, "cvc_needed", "no terminal and no display"),
            ("!garbage", 77, "cvc_needed", "does not behave like a pinentry"),
            ("!die", 77, "cvc_needed", "ended before"), ("!empty", 77, "bad_cvc", "6 to 32 digits"),
        ] as [(String, Int32, String, String)])
    func everyEndHasItsCode(_ answer: String, _ status: Int32, _ code: String, _ words: String) async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        let (run, _) = try await run(workshop, "sign", "tx.psbt", "--yes", "--json", answers: answer)
        try run.expectFailure(status, code)
        #expect(run.text.contains(words))
        #expect(!FileManager.default.fileExists(atPath: workshop.folder.path("tx.signed.psbt")))
    }

    /// Cancelled when asked again: that counts, and not the wrong CVC before.
    @Test func cancelledAfterAWrongCVC() async throws {
        let workshop = try await Workshop()
        let (run, _) = try await run(workshop, "xpub", "--json", answers: "000000,!cancel")
        try run.expectFailure(130, "cancelled")
    }

    @Test func aPinentryThatIsNotThereIsSaidToBe() async throws {
        let workshop = try await Workshop()
        let run = try await workshop.tapkit(
            "xpub", "--json", environment: ["TAPKIT_CVC_FILE": nil, "TAPKIT_PINENTRY": "/nowhere/pinentry"])
        try run.expectFailure(77, "cvc_needed")
        #expect(run.text.contains("cannot be started: No such file or directory"))
        #expect(try run.hint().contains("pinentry-qt"))
    }

    @Test func aNewCVCIsAskedForTwice() async throws {
        let workshop = try await Workshop()
        let (changed, log) = try await run(
            workshop, "change-cvc", "--json", answers: "\(Workshop.printedCVC),31415926,31415926")
        try changed.succeeded()
        #expect(log.contains("SETPROMPT Repeat new CVC:"))
        // Whoever types two different ones is asked again, three times in all.
        let different = Array(repeating: "27182818,27182819", count: 3).joined(separator: ",")
        let (differing, again) = try await run(workshop, "change-cvc", "--json", answers: "31415926,\(different)")
        #expect(again.contains("SETERROR The two CVCs do not match."))
        try differing.expectFailure(77, "bad_cvc")
        try await workshop.tapkit("xpub", "--cvc-file", "-", input: Data("31415926\n".utf8)).succeeded()
    }

    @Test func aBackupsKeyIsAskedForToo() async throws {
        let workshop = try await Workshop()
        let key = try #require(workshop.backupKey)
        let (run, log) = try await run(
            workshop, "backup", "verify", "backup.aes", "--no-card", "--json", answers: key)
        try run.succeeded()
        #expect(log.contains("SETPROMPT Backup key:"))
    }

    @Test func aSweptSlotIsOpenedWithACVCThatWasMistyped() async throws {
        let workshop = try await Workshop.satscard()
        let (run, log) = try await run(workshop, "unseal", "--yes", "--json", answers: "000000,\(Workshop.satscardCVC)")
        #expect(try run.succeeded().json()["slot"] as? Int == 1)
        #expect(count("GETPIN", in: log) == 2)
    }

    // MARK: Debian's pinentry-tty

    private static let real: [String: String?] = ["TAPKIT_CVC_FILE": nil, "TAPKIT_PINENTRY": "/usr/bin/pinentry-tty"]

    /// No terminal of its own, and a pinentry on another one: mistyped once, then the card signs.
    @Test func debiansPinentryAsksOnAnotherTerminal() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        let terminal = try Terminal(
            workshop, ["sign", "tx.psbt", "--yes", "--json"], environment: Self.real, isOther: true)
        let shown = try await terminal.shows("CVC:")
        #expect(shown.contains("TAPSIGNER \(workshop.ident)"))
        #expect(shown.contains("is needed to sign a transaction that pays "))
        try await terminal.waitUntil(echoes: false)
        terminal.type("000000\n")
        let again = try await terminal.shows("CVC:")
        #expect(again.contains("At most 2 more wrong tries"))
        try await terminal.waitUntil(echoes: false)
        terminal.type(Workshop.printedCVC + "\n")
        #expect(try await terminal.ending() == .exited(0))
        #expect(terminal.output.contains("\"complete\":true") || terminal.output.contains("\"complete\" : true"))
        try await workshop.psbt("tx.signed.psbt").expectVerified()
        #expect(terminal.echoes)
        let rest = terminal.rest()
        #expect(!(shown + again + rest + terminal.output + terminal.errorOutput).contains(Workshop.printedCVC))
    }

    /// A wallet that was started on a terminal, and GPG_TTY names that terminal: its job control must not stop the pinentry.
    @Test func debiansPinentryAsksOnTheWalletsOwnTerminal() async throws {
        let workshop = try await Workshop()
        let terminal = try Terminal(
            workshop, ["hwi", "--emulators", "-t", "tapsigner", "--chain", "test", "getxpub", "m/84h/1h/0h"],
            environment: Self.real, isNamed: true)
        try await terminal.shows("CVC:")
        try await terminal.waitUntil(echoes: false)
        terminal.type(Workshop.printedCVC + "\n")
        #expect(try await terminal.ending() == .exited(0))
        #expect(terminal.output.contains("tpub"))
        #expect(!(terminal.rest() + terminal.output).contains(Workshop.printedCVC))
    }

    /// Where the wallet's terminal is asked itself, it says what for.
    @Test func theWalletsTerminalIsToldWhatFor() async throws {
        let workshop = try await Workshop()
        let psbt = try await workshop.wallet().psbt()
        let terminal = try Terminal(
            workshop,
            [
                "hwi", "--emulators", "-t", "tapsigner", "--chain", "test", "signtx",
                String(decoding: psbt.encoded(as: .base64), as: UTF8.self),
            ], environment: ["TAPKIT_CVC_FILE": nil, "TAPKIT_PINENTRY": "/nowhere/pinentry"])
        let shown = try await terminal.shows("CVC of card")
        #expect(shown.contains("sign a transaction that pays") && shown.contains("fee 0.00001000 test BTC"), "\(shown)")
        try await terminal.waitUntil(echoes: false)
        terminal.type(Workshop.printedCVC + "\n")
        #expect(try await terminal.ending() == .exited(0))
    }

    @Test func debiansPinentryIsCancelled() async throws {
        let workshop = try await Workshop()
        let terminal = try Terminal(workshop, ["xpub", "--json"], environment: Self.real, isOther: true)
        try await terminal.shows("CVC:")
        try await terminal.waitUntil(echoes: false)
        terminal.type("\u{4}")
        #expect(try await terminal.ending() == .exited(130))
        #expect(terminal.output.contains("cancelled"))
    }

    /// Whoever ends `tapkit` ends the pinentry too, which gives its terminal back in order.
    @Test func endingTapkitEndsThePinentry() async throws {
        let workshop = try await Workshop()
        let terminal = try Terminal(workshop, ["xpub", "--json"], environment: Self.real, isOther: true)
        try await terminal.shows("CVC:")
        try await terminal.waitUntil(echoes: false)
        terminal.signal(SIGTERM)
        #expect(try await terminal.ending() == .exited(130))
        #expect(terminal.output.contains("interrupted"))
        try await terminal.waitUntil(echoes: true)
    }

    /// So does who quits it, and then it asks nobody any more.
    @Test func quittingTapkitEndsThePinentry() async throws {
        let workshop = try await Workshop()
        let terminal = try Terminal(workshop, ["xpub", "--json"], environment: Self.real, isOther: true)
        try await terminal.shows("CVC:")
        try await terminal.waitUntil(echoes: false)
        terminal.signal(SIGQUIT)
        #expect(try await terminal.ending() == .signalled(SIGQUIT))
        // The pinentry is gone, not only told: nothing restores the terminal later.
        #expect(terminal.echoes)
    }
}
