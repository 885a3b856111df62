/// The exit statuses of `tapkit`. The numbers follow `sysexits.h` where possible.
enum ExitStatus: Int32, CaseIterable, Sendable {
    /// Done.
    case success = 0
    /// The command line is invalid.
    case usage = 64
    /// A file, PSBT, address or backup is invalid or unsuitable.
    case badInput = 65
    /// An input file does not exist.
    case noInput = 66
    /// A reader, pcscd or a chain server cannot be used.
    case unavailable = 69
    /// A bug in tapkit.
    case software = 70
    /// Output cannot be written.
    case cannotCreate = 73
    /// Communication with the reader or the card, or the local store, failed.
    case inputOutput = 74
    /// The card is not there, or the store or the chain server is busy: try again.
    case tryAgain = 75
    /// A proof failed: of a card, server, wallet, kit, link or signature.
    case proofFailed = 76
    /// A CVC is wrong, a CVC or a backup key is missing, or the card is locked out.
    case noPermission = 77
    /// The configuration, the environment or the local store cannot be used.
    case configuration = 78
    /// Cancelled or interrupted by the user.
    case interrupted = 130
}
