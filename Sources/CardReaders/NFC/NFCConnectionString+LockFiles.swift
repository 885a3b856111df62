import Glibc

extension NFCConnectionString {
    /// The files that this user's programs lock (`flock`) while they use the device; the first one that can be created
    /// counts. Every name of a port leads to the same files.
    ///
    /// Each file belongs to one user, and nobody else may open it: anyone who could open it could lock it for good and keep
    /// everybody from the reader. As a result, programs of other users at the same port are not detected.
    public var lockFiles: [String] {
        let user = geteuid()
        return Self.lockFolders(of: user).map { "\($0)/tapkit-\(user)-\(lockName).lock" } + homeFile
    }

    /// Where lock files go, emptied at boot: the user's own folder if there is one, otherwise the world-writable ones.
    private static func lockFolders(of user: uid_t) -> [String] {
        let own = "/run/user/\(user)"
        var status = stat()
        let isOwn = stat(own, &status) == 0 && status.st_uid == user && status.st_mode & (S_IWGRP | S_IWOTH) == 0
        return (isOwn ? [own] : []) + ["/run/lock", "/tmp"]
    }

    /// In the user's home: nobody else can take that name.
    private var homeFile: [String] {
        var entry = passwd()
        var text = [CChar](repeating: 0, count: Self.longestEntry)
        var found: UnsafeMutablePointer<passwd>?
        guard getpwuid_r(geteuid(), &entry, &text, text.count, &found) == 0, found != nil, let home = entry.pw_dir
        else {
            return []
        }
        return ["\(String(cString: home))/.tapkit-\(lockName).lock"]
    }

    /// The longest line of the system's user database, in bytes.
    private static let longestEntry = 16_384

    /// The port's real path, or libnfc's name for the device, without characters that are special in paths.
    private var lockName: String {
        var text = description
        if let port, let real = realpath(port, nil) {
            text = String(cString: real)
            free(real)
        }
        return String(text.map { $0 == "/" || $0 == ":" ? "-" : $0 })
    }
}
