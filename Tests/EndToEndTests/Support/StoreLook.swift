import Foundation
import TestSupport
import Testing

/// A look at a store's files with another program than the one under test: Python's SQLite, in
/// the environment of the other judges. See `Tests/Interop/look_at_store.py`.
struct StoreLook {
    /// What `PRAGMA integrity_check` says: `ok`. `nil` when there is no database yet.
    let integrity: String?
    /// How many signatures stand beside the PSBTs.
    let signatureCount: Int
    /// The kinds of flows that are unfinished.
    let unfinished: [String]

    /// Looks at a copy of the store in a folder, which is left as it is.
    init(at folder: String) async throws {
        guard FileManager.default.fileExists(atPath: folder) else {
            (integrity, signatureCount, unfinished) = (nil, 0, [])
            return
        }
        let copy = try TemporaryFolder(inMemory: true)
        let answer = try await PythonEnvironment.shared().run(
            "look_at_store.py", ["store": folder, "copy": copy.url.path])
        integrity = answer["integrity"] as? String
        signatureCount = try answer.field("signatures")
        unfinished = try answer.field("flows")
    }
}
