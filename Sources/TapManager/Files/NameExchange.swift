import CProcess
import Glibc

/// How two names exchange what they have, in one step, so that nobody sees a name without its file or folder.
struct NameExchange {
    /// Exchanges two names; returns 0, or sets `errno` as `rename` does.
    let perform: (String, String) -> Int32

    /// The system's.
    static var system: NameExchange { NameExchange { process_exchange_names($0, $1) } }

    /// Errors of file systems that cannot do it, such as FAT on some systems, exFAT and network drives.
    static let unsupported: Set<Int32> = [EINVAL, ENOSYS, EOPNOTSUPP]
}
