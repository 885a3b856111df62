import CardReaders
import Glibc

/// Whether a user has permission to read and write a device, and if not, why.
public enum DeviceAccess: Sendable, Equatable {
    /// It can be opened for reading and writing.
    case granted
    /// It exists, but the user may not open it.
    /// - Parameters:
    ///   - mode: the permission bits, octal, such as `0660`.
    ///   - group: the group's name, or its number.
    ///   - isForGroup: whether members of the group may open it.
    case refused(mode: String, owner: String, group: String, isForGroup: Bool)
    /// There is nothing at the path.
    case missing
}

extension Machine {
    /// Whether the user may read and write the file, according to its permissions; nothing is opened.
    public func access(_ path: String) -> DeviceAccess {
        guard let status = status(path) else { return .missing }
        guard !mayReadAndWrite(path, status) else { return .granted }
        let group = name(of: status.st_gid, in: "/etc/group")
        let octal = String(status.st_mode & 0o7777, radix: 8)
        return .refused(
            mode: String(repeating: "0", count: max(0, 4 - octal.count)) + octal,
            owner: name(of: status.st_uid, in: "/etc/passwd"), group: group,
            isForGroup: status.st_mode & 0o060 == 0o060 && group != "root")
    }

    /// Only the system itself knows about access control lists, which the permission bits do not show; it can only be
    /// asked about the user of this process.
    private func mayReadAndWrite(_ path: String, _ status: stat) -> Bool {
        if user.isOfThisProcess { return faccessat(AT_FDCWD, location(path), R_OK | W_OK, AT_EACCESS) == 0 }
        if user.identifier == 0 { return true }
        let needed: mode_t =
            user.identifier == status.st_uid ? 0o600 : user.groups.contains(status.st_gid) ? 0o060 : 0o006
        return status.st_mode & needed == needed
    }

    /// The name for a number in a file such as `/etc/group`; the number itself if it has none.
    private func name(of number: UInt32, in file: String) -> String {
        for line in lines(file) {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count > 2, UInt32(fields[2]) == number { return String(fields[0]) }
        }
        return String(number)
    }
}

extension DeviceAccess {
    /// The permissions in words; `nil` when access is granted.
    var complaint: String? {
        switch self {
        case .granted: nil
        case .refused(let mode, let owner, let group, _): "mode \(mode), owner \(owner), group \(group)"
        case .missing: "it does not exist"
        }
    }
}
