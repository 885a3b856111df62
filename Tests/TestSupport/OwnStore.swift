import Foundation

/// No test touches the store of whoever runs it: unless told otherwise, the programs that tests start have theirs in a
/// folder that goes with the test process.
enum OwnStore {
    /// The variable that tells `tapkit` so.
    static let environment: [String: String] = {
        atexit { try? FileManager.default.removeItem(at: OwnStore.folder) }
        return ["TAPKIT_DATA_DIR": folder.path]
    }()

    private static let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("tapkit-store-\(UUID().uuidString)")
}
