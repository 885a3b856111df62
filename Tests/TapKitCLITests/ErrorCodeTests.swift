import Bitcoin
import ExplainedErrors
import SmartCard
import TapManager
import TapProtocol
import TapSimulator
import Testing

@testable import TapKitCLI

/// The catalogue of `tapkit help errors`: every error of every layer has its own entry.
@Suite struct ErrorCodeTests {
    @Test(arguments: ErrorCode.allCases)
    func everyCodeIsExplained(_ code: ErrorCode) {
        #expect(code.rawValue.wholeMatch(of: /[a-z]+(_[a-z0-9]+)*/) != nil)
        #expect(code.meaning.hasSuffix("."))
        #expect(code.exitStatus != .success)
    }

    @Test(arguments: ReaderError.Code.allCases)
    func readerErrorsHaveEntries(_ code: ReaderError.Code) {
        let failure = Failure(ReaderError(code, "message", hint: "hint"))
        // A wait that was cancelled is the person's Ctrl-C.
        #expect(failure.code.rawValue == (code == .cancelled ? "interrupted" : code.rawValue))
        #expect(failure.message == "message" && failure.hint == "hint")
        #expect(Failure(TapError.reader(ReaderError(code, "message"))).code == failure.code)
    }

    @Test(arguments: SimulatedCardError.Code.allCases)
    func simulatorErrorsHaveEntries(_ code: SimulatedCardError.Code) {
        #expect(Failure(SimulatedCardError(code, "message")).code.rawValue == code.rawValue)
    }

    /// A signature that is not the one that was asked for is no failed proof among others, and nothing to try again.
    @Test(arguments: [Proof.signature, .signingKey]) func anAlteredSignatureIsAnAlarm(_ proof: Proof) {
        let failure = Failure(FlowError.card(.badProof(proof, detail: "d")))
            .prefixed("1 of 3 signed. ", hint: "Run the same command again to go on.")
        #expect(failure.code == .alteredSignature && failure.exitStatus.rawValue == 76)
        #expect(failure.message.contains("ALARM"))
        #expect(failure.hint.contains("Move the money") && !failure.hint.contains("again to go on"))
        #expect(Failure(FlowError.card(.badProof(.account, detail: "d"))).code == .badProof)
    }

    @Test func aLowerVersionHasAWayOut() {
        #expect(Failure(TapError.badProof(.version, detail: "d")).hint.contains("tapkit store forget"))
        #expect(Failure(TapError.badProof(.remembered, detail: "d")).hint.contains("tapkit store forget"))
        #expect(!Failure(TapError.badProof(.account, detail: "d")).hint.contains("tapkit store forget"))
    }

    @Test func cardErrorsHaveEntries() throws {
        let ident = try CardIdent(of: PrivateKey(SecretBytes([UInt8](repeating: 1, count: 32))).publicKey)
        let errors: [TapError] =
            [
                .notATapCard(StatusWord(rawValue: 0x6A82)), .anotherCard(expected: ident, found: ident),
                .statusWord(StatusWord(rawValue: 0x6F00), command: "sign"),
                .badResponse(command: "sign", field: "sig", problem: "is missing"), .wrongCVC(.atMost(2)),
                .cvcNeeded(command: "sign"), .rateLimited(seconds: 15), .badProof(.cardKey, detail: "none"),
                .invalidCVC(.notADigit), .invalidArgument(command: "sign", problem: "too long"),
                .notSupported(command: "backup", product: .satscard), .weakRandomness,
                .badBackup(.keyFormat), .badBackup(.length(1)), .badBackup(.wrongKey), .badBackup(.notMaster),
                .badBackup(.path), .badBackup(.damaged), .badBackup(.cutOff),
            ]
            + (0...999).map { .card(CardError(number: $0, text: "text"), command: "sign") }
        for error in errors {
            let failure = Failure(error)
            #expect(failure.code.rawValue == error.code)
            #expect(failure.message == error.message)
        }
    }

    @Test func statusesAreThoseOfTheContract() {
        let statuses: [ErrorCode: Int32] = [
            .usage: 64, .confirmationNeeded: 64, .badPSBT: 65, .refused: 65, .badBackup: 65,
            .badBackupKey: 65, .wrongBackupKey: 65, .otherCardsBackup: 65, .noInputFile: 66, .noService: 69,
            .noReader: 69, .internalError: 70, .cannotWrite: 73, .transportFailed: 74, .badResponse: 74, .noCard: 75,
            .cardRemoved: 75, .anotherCard: 75, .badProof: 76, .notGenuine: 76, .badCVC: 77, .wrongCVC: 77,
            .cvcNeeded: 77, .keyNeeded: 77, .rateLimited: 77, .badEnvironment: 78, .interrupted: 130,
        ]
        for (code, status) in statuses { #expect(code.exitStatus.rawValue == status, "\(code)") }
    }

    @Test func flowErrorsHaveEntries() throws {
        let key = try PrivateKey(SecretBytes([UInt8](repeating: 1, count: 32))).publicKey
        let errors: [(FlowError, ErrorCode)] = [
            (.card(.weakRandomness), .weakRandomness), (.notGenuine(.development), .notGenuine),
            (.notGenuine(.unknown(root: key)), .notGenuine), (.notSetUp, .notSetUp),
            (.otherChainCode, .alreadySetUp), (.wrongProduct(.satscard, task: "sign"), .notSupported),
            (.badPath(DerivationPath()), .badPath), (.cvcInDoubt(ReaderError(.cardRemoved, "gone")), .cardRemoved),
            (.interrupted, .interrupted), (.unexpected("Strange"), .internalError),
            (.otherCardsBackup(backup: .zero, card: Fingerprint(of: key)), .otherCardsBackup),
        ]
        for (error, code) in errors {
            #expect(Failure(error).code == code)
            #expect(!Failure(error).message.isEmpty)
        }
    }
}
