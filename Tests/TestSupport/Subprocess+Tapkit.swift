import Foundation

extension Subprocess {
    /// The `tapkit` that tests run: the one that `TAPKIT_TEST_COMMAND` names; or else the optimized one of the README's first
    /// command, if nothing that it is made of was changed since. It is what people have, and a start of it takes a quarter
    /// of the time. Or else the one that was built together with the running tests.
    public static let tapkit: String = {
        let beside = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        return ProcessInfo.processInfo.environment["TAPKIT_TEST_COMMAND"]
            ?? optimizedTapkit() ?? beside.appendingPathComponent("tapkit").path
    }()

    private static func optimizedTapkit() -> String? {
        let root = Vectors.root
        let command = root.appendingPathComponent(".build/release/tapkit").resolvingSymlinksInPath()
        let folders = ["Sources", "udev"].map(root.appendingPathComponent)
        let files = folders.flatMap { folder in
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.contentModificationDateKey])?
                .compactMap { $0 as? URL } ?? []
        }
        guard let built = modificationDate(of: command) else { return nil }
        let sources = folders + files + ["Package.swift", "Package.resolved"].map(root.appendingPathComponent)
        return sources.contains { modificationDate(of: $0).map { $0 > built } ?? false } ? nil : command.path
    }

    private static func modificationDate(of file: URL) -> Date? {
        (try? file.resourceValues(forKeys: [.contentModificationDateKey]))?.contentModificationDate
    }
}
