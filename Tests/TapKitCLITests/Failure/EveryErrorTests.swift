import ExplainedErrors
import SmartCard
import TapManager
import TapProtocol
import Testing
import TextLayout

@testable import TapKitCLI
@testable import TapKitHWI

/// Every error of every layer, and what each front end says of it.
@Suite struct EveryErrorTests {
    /// The codes that the front ends use by themselves: no layer below has an error of this kind.
    private static let frontEnds: Set<ErrorCode> = [.notAccepted, .badChainCode, .cancelled]

    @Test func everyErrorIsToldInSentences() async throws {
        for error in try await Sample.all() {
            let name = "\(type(of: error)): \(error.message)"
            #expect(Sentences.fault(in: error.message, goesOn: !error.details.isEmpty) == nil, "\(name)")
            #expect(error.details.allSatisfy { !$0.isEmpty }, "\(name)")
            if !error.remedy.isEmpty { #expect(Sentences.fault(in: error.remedy) == nil, "\(name) \(error.remedy)") }
            // What a library says is no front end's.
            let words = ([error.message, error.remedy] + error.details).joined(separator: " ")
            #expect(!words.contains(/tapkit [a-z]|--[a-z]|TAPKIT_/), "\(name) \(error.remedy)")
        }
    }

    @Test func theTerminalLosesNothingAndAddsItsCommands() async throws {
        for error in try await Sample.all() {
            let failure = Failure(error)
            #expect(failure.code == error.code && failure.exitStatus == error.code.exitStatus)
            #expect(failure.lines == ([error.message] + error.details).map { TerminalText.neutralized($0) })
            #expect(failure.hint.hasPrefix(TerminalText.neutralized(error.remedy)))
            if !failure.hint.isEmpty { #expect(Sentences.fault(in: failure.hint) == nil, "\(failure.hint)") }
            #expect(!failure.hint.contains(failure.lines[0]), "the hint says it again: \(failure.hint)")
            #expect(Sentences.repeated(in: failure.message + " " + failure.hint) == nil, "\(failure.hint)")
            // Whoever catches it without knowing its type says the same.
            let caught = Failure(unexpected: error)
            #expect(caught.code == failure.code && caught.lines == failure.lines && caught.hint == failure.hint)
        }
    }

    @Test func hwisFrontEndSaysTheSame() async throws {
        for error in try await Sample.all() {
            let told = HWIError(HWITerminal().explain(error))
            #expect(told.error == HWIError(HWIExplanation(Failure(error))).error)
            #expect(told.error.hasPrefix(TerminalText.neutralized(error.message)) && told.code != .helpText)
            #expect((-19 ... -1).contains(told.code.rawValue))
        }
    }

    /// A code that nobody uses would be a promise that nothing keeps; one that a layer uses belongs to no front end alone.
    @Test func everyCodeIsUsed() async throws {
        let used = Set(try await Sample.all().map(\.code))
        #expect(Set(ErrorCode.allCases).subtracting(used) == Self.frontEnds)
    }

    @Test(arguments: ErrorCode.allCases) func everyCodeIsExplained(_ code: ErrorCode) {
        #expect(code.rawValue.wholeMatch(of: /[a-z]+(_[a-z0-9]+)*/) != nil)
        #expect(code.meaning.hasSuffix(".") && !code.meaning.contains(/tapkit [a-z]|--[a-z]/))
        #expect(code.exitStatus != .success)
        let hint = CommandHint.hint(code)
        if !hint.isEmpty { #expect(Sentences.fault(in: hint) == nil, "\(hint)") }
        #expect(ErrorCode.allCases.allSatisfy { $0 == code || $0.meaning != code.meaning })
    }

    /// Spec: command line, "Everywhere" (exit).
    @Test func statusesAreThoseOfTheContract() {
        let statuses: [Int32: Set<ErrorCode>] = [
            64: [.usage, .confirmationNeeded, .simBadOptions, .simBadAddress],
            65: [
                .inputUnreadable, .inputTooLarge, .badPSBT, .refused, .notAccepted, .nothingToSign, .notComplete,
                .badPath, .badChainCode, .badLink, .simFileDamaged, .notSetUp, .alreadySetUp, .slotUnused, .slotSealed,
                .slotOpened, .noSuchSlot, .cardUsedUp, .wrongNetwork, .badAddress, .signatureInconclusive, .backupFirst,
                .ambiguousCard, .notSupported, .badBackup, .badBackupKey, .wrongBackupKey, .otherCardsBackup,
                .badArgument, .storeDamaged, .contradiction, .noSuchTransaction, .alreadyConfirmed,
                .alreadyReplaced, .noSuchWallet, .walletExists,
                .badWalletName, .badDescriptor, .notExportable, .badLabels, .badAmount, .badFeeRate, .badPaymentURI,
                .insufficientFunds, .dust, .nothingToSweep, .feeTooHigh, .noSuchCoin, .coinsTaken, .cannotBuild,
                .cannotBump, .feeNeeded, .otherWallet, .badRegistration, .outOfReach, .badKit, .chainWrongNetwork,
                .transactionRejected,
            ],
            66: [.noInputFile, .simFileNotFound],
            69: [
                .noService, .noReader, .readerGone, .readerBusy, .noPermission, .simInUse, .noChainServer,
                .chainUnreachable, .chainTLS, .chainProxy, .chainUnauthorized, .chainServerError, .chainMalformed,
                .chainTooLarge, .chainUnsupported, .chainFailed,
            ],
            70: [.internalError, .weakRandomness],
            73: [.cannotWrite, .wouldOverwrite, .simFileExists, .simFileFailed, .diskFull],
            74: [
                .transportFailed, .cardMute, .statusWord, .badResponse, .cardError, .notATapCard, .storeFailed,
            ],
            75: [
                .noCard, .cardRemoved, .cardReset, .anotherCard, .timedOut, .unluckyNumber, .cvcInDoubt, .storeBusy,
                .chainRateLimited, .chainNotReady,
            ],
            76: [
                .badProof, .alteredSignature, .alteredWallet, .alteredKit, .tampered, .badSignature, .notGenuine,
                .forgedLink,
                .chainLied,
                .chainCertificateChanged,
            ],
            77: [.badCVC, .wrongCVC, .unprovenCVC, .cvcNeeded, .keyNeeded, .rateLimited],
            78: [.badEnvironment, .badConfiguration, .storeUnsafe, .storeNewer],
            130: [.declined, .cancelled, .interrupted],
        ]
        for code in ErrorCode.allCases {
            #expect(statuses[code.exitStatus.rawValue]?.contains(code) == true, "\(code)")
        }
    }
}

/// Texts for people, as far as a machine can judge them.
private enum Sentences {
    /// What is wrong with a text that must be whole sentences; `nil`: nothing.
    /// - Parameter goesOn: whether more lines follow, so that it may end in a colon.
    static func fault(in text: String, goesOn: Bool = false) -> String? {
        if text.isEmpty { return "empty" }
        if text.first?.isWhitespace == true || text.last?.isWhitespace == true { return "spaces around it" }
        if !text.contains(/[.?!…]$/), !(goesOn && text.hasSuffix(":")) { return "no sentence" }
        if text.contains(/[.,;:?!][.,;:]|[ ]{2}/) { return "doubled punctuation" }
        if text.contains(#/\\\(|%@|Optional\(|\bnil\b|\b[a-z]\w*\(\w+: /#) { return "a placeholder" }
        return nil
    }

    /// A sentence that stands in a text twice.
    static func repeated(in text: String) -> String? {
        let sentences = text.split(separator: /[.?!]\s+|[.?!]$|\n/).map(String.init)
        return sentences.first { sentence in sentences.count { $0 == sentence } > 1 }
    }
}
