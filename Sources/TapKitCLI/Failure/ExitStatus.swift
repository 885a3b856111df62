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
    /// No reader, no pcscd, no chain server.
    case unavailable = 69
    /// A bug in tapkit.
    case software = 70
    /// Output cannot be written.
    case cannotCreate = 73
    /// Reader or card I/O failed.
    case inputOutput = 74
    /// There is no card, or it was removed: try again.
    case tryAgain = 75
    /// A proof failed: not genuine, or tampered with.
    case proofFailed = 76
    /// Wrong CVC, CVC needed, or lockout.
    case noPermission = 77
    /// The configuration is wrong.
    case configuration = 78
    /// Cancelled or interrupted by the user.
    case interrupted = 130
}
