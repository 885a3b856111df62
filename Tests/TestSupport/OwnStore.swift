import Foundation

/// No test touches the store or the configuration of whoever runs it: unless told otherwise, the programs that tests start
/// have theirs in a folder that goes with the test process.
enum OwnStore {
    /// The variables that tell `tapkit` so.
    static let environment: [String: String] = {
        atexit { try? FileManager.default.removeItem(at: OwnStore.folder) }
        // Nobody makes the second one, so that programs of other users may look for it, too.
        return ["TAPKIT_DATA_DIR": folder.path, "XDG_CONFIG_HOME": folder.path + "-configuration"]
    }()

    private static let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("tapkit-store-\(UUID().uuidString)")
}
