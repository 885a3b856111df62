import Bitcoin
import Foundation
import TapSimulator
import TestSupport
import Testing

/// One transaction, several cards.
@Suite struct CosigningTests {
    private func expectBoth(
        _ answer: [String: Any], _ cosigners: Cosigners, inputs: Int, at location: SourceLocation = #_sourceLocation
    ) async throws {
        try await answer.expectComplete(inputs: inputs, at: location)
        let signers: [[String: Any]] = try answer.field("signers")
        #expect(
            try Set(signers.map { try $0.text("ident") }) == [cosigners.first.ident, cosigners.second.ident],
            sourceLocation: location)
        #expect(
            try signers.map { try $0.text("fingerprint") }.sorted() == cosigners.bothFingerprints,
            sourceLocation: location)
        #expect(try signers.allSatisfy { try $0.field("signed") == inputs }, sourceLocation: location)
        #expect(try answer.field("signed") == 2 * inputs, sourceLocation: location)
        #expect(try answer.field("signed_by") == cosigners.bothFingerprints, sourceLocation: location)
        #expect(try answer.field("missing") == 0, sourceLocation: location)
    }

    @Test func twoCardsOnTwoReadersSignInOneRun() async throws {
        let cosigners = try await Cosigners(inputs: 3)
        let sandbox = try await cosigners.laidDown()
        let file = cosigners.first.folder.path("tx.psbt")
        let run = try await sandbox.tapkit(["sign", file], in: cosigners.first).succeeded()
        try await expectBoth(run.json(), cosigners, inputs: 3)
        #expect(try cosigners.first.psbt("tx.signed.psbt").isFinalized)
        for card in [cosigners.first, cosigners.second] { #expect(try await card.cardPath() == "m/84h/1h/0h") }

        // Complete is complete: again, with both cards there, it is told and not asked which one is meant.
        let again = try await sandbox.tapkit(["sign", file], in: cosigners.first).succeeded().json()
        #expect(try again.field("signed") == 0)
        #expect(try again.text("tx") == run.json().text("tx"))
    }

    /// One reader: the second card is asked for by its ident where the store knows it, else by its fingerprint.
    @Test(arguments: ReaderKind.allCases, [true, false])
    func oneCardAfterTheOther(_ kind: ReaderKind, isSecondKnown: Bool) async throws {
        let cosigners = try await Cosigners(inputs: 2)
        if isSecondKnown {
            try await cosigners.first.tapkit("xpub", environment: cosigners.withSecond).succeeded()
        }
        let (first, second) = (
            try SimulatedCard(path: cosigners.first.cardFile), try SimulatedCard(path: cosigners.second.cardFile)
        )
        try await CardStand.lend(kind, with: first) { stand in
            let signing = try cosigners.first.start(
                ["sign", "tx.psbt", "--yes", "--json", "--wait=100"], environment: ["TAPKIT_READER": stand.spec])
            try await signing.errorText(contains: "Signed by 1 of 2. Put ")
            let line = try #require(signing.errorText.split(separator: "\n").first { $0.hasPrefix("Signed by 1") })
            let fingerprints = cosigners.wallets.map(\.fingerprint.description)
            #expect(
                line.contains(isSecondKnown ? cosigners.second.ident : "cosigner \(fingerprints[1])"), "\(line)")
            #expect(line.contains("cosigner \(fingerprints[2])"), "\(line)")
            #expect(!line.contains(cosigners.first.ident) && !line.contains(fingerprints[0]), "\(line)")
            stand.pull()
            try await stand.lay(second)
            #expect(
                try await signing.ending(timeout: .seconds(120)) == .exited(0), "\(signing.text)\(signing.errorText)")
            try await expectBoth(signing.json(), cosigners, inputs: 2)
        }
    }

    /// Programs are told, too, whose turn it is; nobody's coming is no failure.
    @Test func theNextSignerIsAnEvent() async throws {
        let cosigners = try await Cosigners(inputs: 2)
        let run = try await cosigners.first.tapkit(
            "sign", "tx.psbt", "--yes", "--json", "--progress", "--wait=2"
        ).succeeded()
        let line = try #require(run.errorText.split(separator: "\n").first { $0.contains("next_signer") })
        let event = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        event.expectKeys("event signed_by threshold can_sign")
        #expect(try event.field("threshold") == 2)
        #expect(try event.field("signed_by", as: [String].self).count == 1)
        #expect(try !event.field("can_sign", as: [String].self).isEmpty)
        #expect(try !run.json().field("complete", as: Bool.self))
    }

    /// Signed in part: who is missing, and what to do with it.
    @Test func theNextStepIsTheNextCard() async throws {
        let cosigners = try await Cosigners(inputs: 1)
        let words = try await cosigners.first.tapkit("sign", "tx.psbt", "--yes").succeeded().errorText
        for wallet in cosigners.wallets.dropFirst() { #expect(words.contains("\(wallet.fingerprint)")) }
        #expect(words.contains("Stored. Next: tapkit tx sign ") && words.contains(" with the next card, or pass"))
    }

    @Test func withoutWaitingTheSecondCardGoesOnLater() async throws {
        let cosigners = try await Cosigners(inputs: 2)
        let first = try await cosigners.first.tapkit("sign", "tx.psbt", "--yes", "--json").succeeded().json()
        let fingerprints = cosigners.wallets.map(\.fingerprint.description)
        #expect(try first.field("complete") == false)
        #expect(try first.field("signed") == 2)
        #expect(try first.field("signed_by") == [fingerprints[0]])
        #expect(try first.field("missing") == 2)
        #expect(first["txid"] == nil && first["tx"] == nil)
        try cosigners.removeSigned()
        let words = try await cosigners.first.tapkit("sign", "tx.psbt", "--yes").succeeded()
        #expect(words.errorText.contains("Already signed; nothing to do."))
        #expect(words.errorText.contains("Not complete: signed by 1 of 2; 2 signatures missing, from "))
        for fingerprint in fingerprints.dropFirst() { #expect(words.errorText.contains(fingerprint)) }

        // All that the second process has is the unsigned file, and the store.
        try cosigners.removeSigned()
        let second = try await cosigners.first.tapkit(
            "sign", "tx.psbt", "--yes", "--json", environment: cosigners.withSecond
        ).succeeded().json()
        #expect(try second.field("signed") == 2)
        try await second.expectComplete(inputs: 2)
        #expect(try second.field("signed_by") == cosigners.bothFingerprints)
        #expect(try await cosigners.stored().map { try $0.text("state") } == ["complete"])
    }

    /// What nobody can extract is not said to be all signed.
    @Test func oneOfTwoIsNotExtracted() async throws {
        let cosigners = try await Cosigners(inputs: 2)
        let run = try await cosigners.first.tapkit("sign", "tx.psbt", "--extract", "--yes", "--json")
        let document = try run.expectFailure(65, "not_complete")
        #expect(document["progress"] as? [String: Int] == ["done": 2, "total": 4])
    }

    @Test func everyCardHasItsCVC() async throws {
        let cosigners = try await Cosigners(secondCVC: "730415926")
        let sandbox = try await cosigners.laidDown()
        let file = cosigners.first.folder.path("tx.psbt")
        try cosigners.writeCVCs(
            "\(cosigners.first.ident) \(Workshop.printedCVC)", "\(cosigners.second.ident.prefix(5)) 730415926")
        let run = try await sandbox.tapkit(["sign", file], in: cosigners.first).succeeded()
        try await expectBoth(run.json(), cosigners, inputs: 1)
        for card in [cosigners.first, cosigners.second] { #expect(try await card.wrongAttempts() == 0) }
    }

    @Test func aWrongCVCOfTheSecondLosesNothingOfTheFirst() async throws {
        let cosigners = try await Cosigners(inputs: 2, secondCVC: "730415926")
        let sandbox = try await cosigners.laidDown()
        let file = cosigners.first.folder.path("tx.psbt")
        // The first line is anybody's, and wrong for the second card.
        let run = try await sandbox.tapkit(["sign", file], in: cosigners.first)
        let document = try run.expectFailure(77, "wrong_cvc")
        #expect(document["progress"] as? [String: Int] == ["done": 2, "total": 4])
        #expect(document["saved"] as? String == cosigners.first.folder.path("tx.signed.psbt"))
        let kept = try cosigners.first.psbt("tx.signed.psbt")
        #expect(kept.inputs.map(\.partialSignatures.count) == [1, 1])
        let stored = try await cosigners.stored()
        #expect(stored.map { $0["signed_by"] as? [String] } == [[cosigners.wallets[0].fingerprint.description]])
        #expect(try await cosigners.second.wrongAttempts() == 1)

        // The first card is done, so only the second is asked, with its own CVC now.
        try cosigners.writeCVCs(Workshop.printedCVC, "\(cosigners.second.ident): 730415926")
        let rest = try await sandbox.tapkit(["sign", file], in: cosigners.first).succeeded().json()
        #expect(try rest.field("signed") == 2)
        #expect(
            try rest.field("signers", as: [[String: Any]].self).map { try $0.text("ident") } == [cosigners.second.ident]
        )
        try await rest.expectComplete(inputs: 2)
    }

    /// Two cards, one transaction that only one of them can sign.
    @Test func theRightOneOfTwoCardsIsChosen() async throws {
        let (mine, other) = (try await Workshop(), try await Workshop(cvc: "730415926"))
        try await other.writePSBT()
        try FileManager.default.copyItem(atPath: other.folder.path("tx.psbt"), toPath: mine.folder.path("tx.psbt"))
        let sandbox = try await PCSCSandbox(card: mine.cardFile, other.cardFile)
        let file = mine.folder.path("tx.psbt")
        // Nobody knows which: no CVC is tried.
        let stranger: [String: String?] = ["TAPKIT_DATA_DIR": mine.folder.path("elsewhere")]
        let unclear = try await sandbox.run(
            Subprocess.tapkit, ["sign", file, "--json", "--yes", "--trace"],
            environment: mine.environment.merging(["TAPKIT_READER": "pcsc"]) { $1 }.merging(stranger) { $1 },
            directory: mine.folder.url)
        let error: [String: Any] = try unclear.expectFailure(65, "ambiguous_card").field("error")
        #expect(try error.text("message").contains(mine.ident) && error.text("message").contains(other.ident))
        #expect(
            !unclear.heard.isEmpty && Set(unclear.heard).isDisjoint(with: Subprocess.authenticated), "\(unclear.heard)")
        for card in [mine, other] { #expect(try await card.wrongAttempts() == 0) }

        for card in [mine, other] {
            try await sandbox.tapkit(
                ["xpub", "--card", card.ident], in: mine, environment: ["TAPKIT_CVC_FILE": card.folder.path("cvc")]
            ).succeeded()
        }
        try mine.folder.write("\(other.ident) 730415926\n", to: "cvc")
        let signed = try await sandbox.tapkit(["sign", file], in: mine).succeeded().json()
        try await signed.expectComplete(inputs: 1)
        #expect(try signed.field("signers", as: [[String: Any]].self).map { try $0.text("ident") } == [other.ident])

        // Of a third one's transaction both are known to have nothing.
        let foreign = try SampleWallet(seed: 9).psbt()
        try Data(foreign.serialized()).write(to: mine.folder.url.appendingPathComponent("foreign.psbt"))
        let none = try await sandbox.tapkit(["sign", mine.folder.path("foreign.psbt")], in: mine)
        try none.expectFailure(65, "nothing_to_sign")
    }
}
