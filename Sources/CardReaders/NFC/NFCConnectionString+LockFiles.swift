import Glibc

extension NFCConnectionString {
    /// The files that say, while a program of this user's has them locked (`flock`), that it uses the device: the first that
    /// can be made counts. Every name of a port leads to the same files.
    ///
    /// Each is one user's, who alone may open it: whoever could open it could lock it for good, and keep the reader from
    /// everybody. So a program of another user's at the same port is not noticed by them.
    public var lockFiles: [String] {
        let user = geteuid()
        return Self.lockFolders(of: user).map { "\($0)/tapkit-\(user)-\(lockName).lock" } + homeFile
    }

    /// Where lock files live, emptied at boot: the user's own folder where there is one, else those that all may write.
    private static func lockFolders(of user: uid_t) -> [String] {
        let own = "/run/user/\(user)"
        var status = stat()
        let isOwn = stat(own, &status) == 0 && status.st_uid == user && status.st_mode & (S_IWGRP | S_IWOTH) == 0
        return (isOwn ? [own] : []) + ["/run/lock", "/tmp"]
    }

    /// In the user's home: nobody else can take the name.
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

    /// As many bytes as a line of the system's list of users may have.
    private static let longestEntry = 16_384

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
