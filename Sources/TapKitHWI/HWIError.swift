import ExplainedErrors
import TextLayout

/// Why a call of HWI's command line ends without an answer.
///
/// Spec: HWI 3.2.0, `hwilib/errors.py`.
struct HWIError: Error, Encodable {
    /// HWI's error numbers.
    enum Code: Int, Encodable {
        case noDeviceType = -1
        case missingArguments = -2
        case deviceConnection = -3
        case unknownDeviceType = -4
        case invalidTransaction = -5
        case noPassword = -6
        case badArgument = -7
        case notImplemented = -8
        case unavailableAction = -9
        case alreadyInitialized = -10
        case alreadyUnlocked = -11
        case notReady = -12
        case unknown = -13
        case cancelled = -14
        case busy = -15
        case needRoot = -16
        case helpText = -17
        case notInitialized = -18
        case invalidPolicy = -19
    }

    let error: String
    let code: Code

    init(_ code: Code, _ message: String) {
        self.code = code
        error = TerminalText.neutralized(message)
    }

    /// An error from outside HWI, as explained by the host.
    init(_ explanation: HWIExplanation) {
        code = Code(explanation.code)
        let (lines, hint) = (explanation.lines, explanation.hint)
        error = lines.joined(separator: "\n") + (hint.isEmpty ? "" : (lines.count > 1 ? "\n" : " ") + hint)
    }

    init(unexpected error: any Error, _ host: any HWIHost) {
        self = (error as? HWIError) ?? HWIError(host.explain(error))
    }

    /// The error for the user, line by line.
    /// - Parameter words: what the first line begins with.
    func lines(after words: String) -> [String] {
        let lines = error.split(separator: "\n").map(String.init)
        return [words + (lines.first ?? "")] + lines.dropFirst()
    }
}

extension HWIError.Code {
    /// HWI has no number for most card errors: those are `unknown`.
    init(_ code: ErrorCode) {
        self =
            switch code {
            case .usage, .confirmationNeeded: .missingArguments
            case .badPSBT, .refused, .notAccepted, .contradiction, .nothingToSign, .notComplete, .alreadyConfirmed,
                .alreadyReplaced:
                .invalidTransaction
            case .cvcNeeded, .keyNeeded: .noPassword
            case .badCVC, .wrongCVC, .unprovenCVC, .badPath, .badDescriptor, .badAddress, .badArgument,
                .badRegistration, .wrongNetwork,
                .inputTooLarge, .inputUnreadable, .noInputFile, .badEnvironment, .badConfiguration:
                .badArgument
            case .alteredWallet: .invalidPolicy
            case .rateLimited: .notReady
            case .noService, .noReader, .noPermission, .readerGone, .transportFailed, .cardMute, .noCard, .cardRemoved,
                .cardReset, .anotherCard, .timedOut, .cvcInDoubt, .notATapCard, .ambiguousCard, .simFileNotFound,
                .simFileDamaged:
                .deviceConnection
            case .readerBusy, .simInUse, .storeBusy: .busy
            case .notSetUp: .notInitialized
            case .alreadySetUp: .alreadyInitialized
            case .notSupported, .backupFirst: .unavailableAction
            case .declined, .interrupted, .cancelled: .cancelled
            default: .unknown
            }
    }
}
