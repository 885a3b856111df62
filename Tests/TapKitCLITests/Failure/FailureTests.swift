import Bitcoin
import SmartCard
import TapProtocol
import Testing

@testable import TapKitCLI
@testable import TapManager

/// What a failure keeps, and what the terminal adds to it.
@Suite struct FailureTests {
    /// A signature that is not the one that was asked for is no failed proof among others, and nothing to try again.
    @Test(arguments: [Proof.signature, .signingKey]) func anAlteredSignatureIsAnAlarm(_ proof: Proof) {
        let failure = Failure(FlowError.card(.badProof(proof, detail: "d")))
            .prefixed("1 of 3 signed. ", hint: "Run the same command again to continue.")
        #expect(failure.code == .alteredSignature && failure.exitStatus.rawValue == 76)
        #expect(failure.message.contains("ALARM"))
        #expect(failure.hint.contains("Move this key's money") && !failure.hint.contains("again to continue"))
        #expect(Failure(FlowError.card(.badProof(.account, detail: "d"))).code == .badProof)
    }

    @Test func aLowerVersionHasAWayOut() {
        #expect(Failure(TapError.badProof(.version, detail: "d")).hint.contains("tapkit store forget"))
        #expect(Failure(TapError.badProof(.remembered, detail: "d")).hint.contains("tapkit store forget"))
        #expect(!Failure(TapError.badProof(.account, detail: "d")).hint.contains("tapkit store forget"))
    }

    /// The main network is called bitcoin on both sides.
    @Test func networksAreNamedAsInOtherSentences() {
        for (own, asked, words) in [
            (KeyNetwork.test, Network.main, "is for the test networks, not for bitcoin."),
            (.main, .signet, "is for bitcoin, not for signet."),
        ] {
            #expect(Failure(OtherNetwork(of: .backup, own, asked: asked)).message == "The backup \(words)")
        }
    }

    /// What is wrong with an address is told with the address, and what to do about it.
    @Test func anAddressIsRefusedInItsOwnWords() throws {
        let error = #expect(throws: AddressError.self) {
            try Address(parsing: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", network: .regtest)
        }
        let foreign = Failure(try #require(error), of: "bc1qx")
        #expect(foreign.code == .wrongNetwork && foreign.exitStatus.rawValue == 65)
        #expect(foreign.message == "“bc1qx” is not an address on regtest: it is one on main.")
        #expect(foreign.hint.hasPrefix("Use an address on the same network.") && foreign.hint.contains("--network"))
        for (fault, words) in [
            (AddressError.notBech32(.checksum), "a character is wrong or missing"),
            (.witnessVersion(17), "witness version 17 does not exist"),
        ] {
            let failure = Failure(fault, of: "x")
            #expect(failure.code == .badAddress && failure.message == "“x” is not a valid address: \(words).")
        }
    }

    @Test func aTransactionThatIsNotValidNamesItself() async throws {
        let id = try await Sample().id
        #expect(SendingError.notValid(id, .empty).subject == .transaction(id))
        #expect(SendingError.notValid(id, .input(1, .finalScriptsDoNotSpend)).subject == .input(1))
    }

    @Test func anInterruptedVerbSaysHowToContinue() {
        #expect(Failure.interrupted.naming(["setup"]).hint.hasSuffix("it continues where it stopped."))
        #expect(Failure.interrupted.naming(["verify"]).hint == "Run the same command again.")
        for nothing in [
            Failure.interrupted.naming(["status"]), .interrupted(leaving: "Nothing was changed.").naming(["setup"]),
        ] {
            #expect(nothing.hint.isEmpty)
        }
    }

    /// However many layers have handed an error on, it says the same.
    @Test func layersAddNothing() {
        let lost = ReaderError(.cardMute, "The card does not answer.", remedy: "Put it flat on the reader.")
        let plain = Failure(lost)
        for failure in [Failure(TapError.reader(lost)), Failure(FlowError.card(.reader(lost)))] {
            #expect(failure.code == plain.code && failure.lines == plain.lines && failure.hint == plain.hint)
        }
        #expect(Failure(ReaderError(.cancelled, "The wait was ended.")).code == .interrupted)
    }

    /// What a failure carries besides its words stays with it, whatever is said before or behind it.
    @Test func nothingIsLostWhenMoreIsSaid() async throws {
        let sample = try await Sample()
        let refusals = [
            Failure(sample.refusal), Failure(FlowError.refused(sample.refusal.findings)),
            Failure(CreationError.refused(sample.refusal)),
        ]
        for refused in refusals {
            var whole = refused
            whole.isValid = false
            whole.progress = Failure.Progress(done: 1, total: 2, savedFile: "f")
            for failure in [whole.prefixed("First. "), whole.hinting("Last."), whole.retold("Otherwise.")] {
                #expect(failure.findings == sample.refusal.findings && failure.isValid == false)
                #expect(failure.progress?.savedFile == "f" && failure.lines.count == 2)
            }
            let coded = whole.coded(.badConfiguration)
            #expect(coded.code == .badConfiguration && coded.lines == whole.lines && coded.hint == whole.hint)
            #expect(coded.findings == whole.findings && coded.progress?.savedFile == "f")
        }
        #expect(refusals[0].prefixed("First. ").lines[0].hasPrefix("First. Input 1"))
        #expect(refusals[0].hinting("Last.").hint.hasSuffix("made the PSBT. Last."))
        #expect(Failure(TapLinkError.noLink).prefixed("First. ").isValid == false)
    }

    @Test func theNameOfAFileOrFormatStandsInTheMessage() {
        let broken = Failure(PSBTError.empty, file: "a.psbt")
        #expect(broken.message == "a.psbt: it is empty." && broken.hint.hasPrefix("Export the PSBT again"))
        let unfit = Failure(ExportError.multisigOnly, format: .bsms)
        #expect(unfit.message == "The format bsms is for wallets of several keys.")
        #expect(unfit.hint == "tapkit export descriptors works for every wallet.")
    }

    /// A card that was lost between the yes and the first signature leaves a job that can be gone on with.
    @Test func aCardThatIsLostBeforeItSignsIsProgressOfNone() {
        let reason = FlowError.card(.reader(ReaderError(.cardRemoved, "The card was removed.")))
        let failure = Failure(LostBeforeSigning(reason: reason, done: 1, total: 3))
        #expect(failure.progress?.done == 1 && failure.progress?.total == 3 && failure.code == .cardRemoved)
        #expect(failure.lines == Failure(reason).lines && failure.hint == Failure(reason).hint)
    }

    /// The export has wallets to add again, and the damaged file may have more than the export.
    @Test func aDamagedStoreIsKept() {
        let hint = Failure.damaged("/s", unreadable: ["x"], savedTo: "f").hint
        #expect(hint.contains("keep it") && hint.contains("tapkit wallet add") && hint.contains("tapkit tx import"))
    }

    @Test func noTextFromOutsideEndsALine() {
        let failure = Failure(.chainServerError, "It says: \u{1B}[1A\nProven.").prefixed("Not sent: ")
        #expect(failure.message == "Not sent: It says: �[1A�Proven.")
        #expect(Failure(.refused, lines: ["a\nb", "c"]).prefixed("No. ").message == "No. a�b\nc")
    }
}
