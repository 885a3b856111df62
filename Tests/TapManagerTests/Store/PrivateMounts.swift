import Foundation
import TestSupport

/// Work on a thread that sees mounts of its own, so that a disk can be small, or read only, for that work alone.
enum PrivateMounts {
    /// Runs the body; what it mounts goes with it. Takes root.
    static func run<Result: Sendable>(_ body: @Sendable () throws -> Result) async throws -> Result {
        try await BlockingThread.run {
            // The C library hides the call from Swift.
            typealias Unshare = @convention(c) (Int32) -> Int32
            guard let symbol = dlsym(nil, "unshare") else { throw POSIXError(.ENOSYS) }
            let (fileSystem, mounts): (Int32, Int32) = (0x200, 0x20000)
            try check(unsafeBitCast(symbol, to: Unshare.self)(fileSystem | mounts))
            try check(mount("none", "/", nil, UInt(MS_REC) | UInt(MS_PRIVATE), nil))
            return try body()
        }
    }

    /// Mounts an empty disk of so many bytes.
    /// - Parameter files: how many files fit, its own folder included; `nil`: very many.
    static func mountDisk(of size: Int, files: Int? = nil, at path: String) throws {
        let bound = files.map { ",nr_inodes=\($0)" } ?? ""
        try "size=\(size),mode=0700\(bound)".withCString { try check(mount("tmpfs", path, "tmpfs", 0, $0)) }
    }

    /// Makes a folder one that nobody can write.
    static func makeReadOnly(_ path: String) throws {
        try check(mount(path, path, nil, UInt(MS_BIND), nil))
        let flags = UInt(MS_BIND) | UInt(MS_REMOUNT) | UInt(MS_RDONLY)
        try check(mount("none", path, nil, flags, nil))
    }

    private static func check(_ status: Int32) throws {
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}
