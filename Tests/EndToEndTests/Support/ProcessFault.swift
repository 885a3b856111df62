import Foundation
import TestSupport

/// What a test does to a running `tapkit` from within: it dies at one of its writes to the store, or the disk refuses
/// them. `.ci/process-faults.c` says how.
struct ProcessFault: Sendable, CustomStringConvertible {
    /// What happens.
    enum Kind: String, CaseIterable, Sendable {
        /// Killed (`SIGKILL`) in place of the write.
        case kill
        /// Killed in the middle of the write.
        case tear
        /// From that write on the disk is full.
        case full
        /// From that write on nothing can be written.
        case readOnly = "read-only"
    }

    let kind: Kind
    /// At which write, counted from 1.
    let write: Int

    var description: String { "\(kind) at write \(write)" }

    /// What makes it happen.
    func environment() async throws -> [String: String?] {
        try await Self.library().merging(["TAPKIT_FAULT": kind.rawValue, "TAPKIT_FAULT_AT": String(write)]) { $1 }
    }

    /// What lets nothing happen, and counts the writes into a file.
    static func counting(into path: String) async throws -> [String: String?] {
        try await library().merging(["TAPKIT_FAULT_COUNT": path]) { $1 }
    }

    /// What copies into files of a folder the writable memory of the process at its end, what stood in memory that it gave
    /// back before, and what it drew of randomness.
    static func recording(into folder: TemporaryFolder) async throws -> [String: String?] {
        try await library().merging([
            "TAPKIT_FAULT_MEMORY": folder.path("memory"), "TAPKIT_FAULT_FREED": folder.path("freed"),
            "TAPKIT_FAULT_RANDOM": folder.path("randomness"),
        ]) { $1 }
    }

    /// What writes into a file how the process ended: `_exit`, or `exit`, which takes libraries apart.
    static func noting(endIn path: String) async throws -> [String: String?] {
        try await library().merging(["TAPKIT_FAULT_END": path]) { $1 }
    }

    private static func library() async throws -> [String: String?] { ["LD_PRELOAD": try await built.value] }

    private static let built = Task {
        let folder = URL(fileURLWithPath: Subprocess.tapkit).deletingLastPathComponent()
        let library = folder.appendingPathComponent("process-faults.so").path
        let new = library + ".\(getpid())"
        let source = Vectors.root.appendingPathComponent(".ci/process-faults.c").path
        try await Subprocess.run(
            "gcc", ["-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", "-o", new, source, "-ldl"]
        ).succeeded()
        // In one step: another test process may be using it.
        guard rename(new, library) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return library
    }
}
