/// How `tapkit` ends. The numbers follow `sysexits.h` where it has one.
enum ExitStatus: Int32, CaseIterable, Sendable {
    /// Done.
    case success = 0
    /// The command line makes no sense.
    case usage = 64
    /// A file, PSBT, address or backup is not what it should be.
    case badInput = 65
    /// An input file is not there.
    case noInput = 66
    /// No reader, no pcscd, no chain server.
    case unavailable = 69
    /// A bug in tapkit.
    case software = 70
    /// Output cannot be written.
    case cannotCreate = 73
    /// Reader or card I/O broke.
    case inputOutput = 74
    /// The card is not there or was taken away: try again.
    case tryAgain = 75
    /// A proof failed: not genuine, or tampered with.
    case proofFailed = 76
    /// Wrong CVC, CVC needed, or security delay.
    case noPermission = 77
    /// The configuration is wrong.
    case configuration = 78
    /// Interrupted by the person.
    case interrupted = 130
}
