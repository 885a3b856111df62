import Foundation
import TestSupport
import Testing

/// A look at a store's files with another program than the one under test: Python's SQLite.
struct StoreLook {
    /// What `PRAGMA integrity_check` says: `ok`. `nil` when there is no database yet.
    let integrity: String?
    /// How many signatures stand beside the PSBTs.
    let signatureCount: Int
    /// The kinds of flows that are unfinished.
    let unfinished: [String]

    private static let script = """
        import json, os, shutil, sqlite3, sys
        store, copy = sys.argv[1:]
        answer = {"signatures": 0, "flows": []}
        for name in os.listdir(store):
            if name.startswith("store.sqlite"): shutil.copy(os.path.join(store, name), copy)
        path = os.path.join(copy, "store.sqlite")
        if any(os.path.getsize(os.path.join(copy, name)) for name in os.listdir(copy)):
            database = sqlite3.connect(path)
            answer["integrity"] = database.execute("PRAGMA integrity_check").fetchone()[0]
            tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            if "signature" in tables:
                answer["signatures"] = database.execute("SELECT count(*) FROM signature").fetchone()[0]
            if "flow" in tables:
                answer["flows"] = [row[0] for row in database.execute("SELECT kind FROM flow ORDER BY 1")]
        print(json.dumps(answer))
        """

    /// Looks at a copy of the store in a folder, which is left as it is.
    init(at folder: String) async throws {
        guard FileManager.default.fileExists(atPath: folder) else {
            (integrity, signatureCount, unfinished) = (nil, 0, [])
            return
        }
        let copy = try TemporaryFolder(inMemory: true)
        let answer = try await Subprocess.run("/usr/bin/python3", ["-c", Self.script, folder, copy.url.path])
            .succeeded().json()
        integrity = answer["integrity"] as? String
        signatureCount = try answer.field("signatures")
        unfinished = try answer.field("flows")
    }
}
