import Glibc

extension NFCConnectionString {
    /// Where lock files live: world-writable, emptied at boot.
    private static let lockFolders = ["/run/lock", "/tmp"]

    /// The files that say, while a program has them locked (`flock`), that it uses the device: the first that can be
    /// made counts. Every name of a port leads to the same files.
    public var lockFiles: [String] { Self.lockFolders.map { "\($0)/tapkit-\(lockName).lock" } }

    /// The port's real path, or the device as libnfc names it, without characters that have a meaning in paths.
    private var lockName: String {
        var text = description
        if let port, let real = realpath(port, nil) {
            text = String(cString: real)
            free(real)
        }
        return String(text.map { $0 == "/" || $0 == ":" ? "-" : $0 })
    }
}
