import Foundation

/// No test touches the store or the configuration of whoever runs it: unless told otherwise, the programs that tests start
/// have theirs in a folder that goes with the test process.
enum OwnStore {
    /// The variables that tell `tapkit` so.
    static let environment: [String: String] = {
        RemovalAtExit.add(folder)
        RemovalAtExit.add(configuration)
        return ["TAPKIT_DATA_DIR": folder.path, "XDG_CONFIG_HOME": configuration.path]
    }()

    private static let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("tapkit-store-\(UUID().uuidString)")

    /// Nothing of tapkit's makes it, so that programs of other users may look for it, too.
    private static let configuration = URL(fileURLWithPath: folder.path + "-configuration")
}
