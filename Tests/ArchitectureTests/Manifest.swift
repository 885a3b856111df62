import Foundation
import TestSupport

/// `Package.swift` as SwiftPM reads it.
struct Manifest {
    /// One target and what it depends on: other targets, and products of packages.
    struct Target {
        let name: String
        /// The folder below the repository's root.
        let folder: String
        let dependencies: Set<String>
    }

    let targets: [Target]
    let products: Set<String>
    /// Whether anything is built with flags that SwiftPM refuses in a dependency.
    let hasUnsafeFlags: Bool

    /// Asks SwiftPM, with a build folder of its own: the tests' one is in use.
    /// - Parameters:
    ///   - folder: where the manifest stands.
    ///   - fuzzing: whether the fuzz targets are in it, too.
    static func read(in folder: URL = Vectors.root, fuzzing: Bool = true) async throws -> Manifest {
        let scratch = try TemporaryFolder()
        let dump = try await Subprocess.run(
            "swift", ["package", "--package-path", folder.path, "--scratch-path", scratch.url.path, "dump-package"],
            environment: ["TAPKIT_FUZZ": fuzzing ? "replay" : nil, "TAPKIT_UNOPTIMIZED": nil], timeout: .seconds(120)
        ).succeeded()
        let fields = try dump.json()
        let targets = fields["targets"] as? [[String: Any]] ?? []
        let products = fields["products"] as? [[String: Any]] ?? []
        return Manifest(
            targets: targets.compactMap(Target.init), products: Set(products.compactMap { $0["name"] as? String }),
            hasUnsafeFlags: dump.text.contains("unsafeFlags"))
    }
}

extension Manifest.Target {
    fileprivate init?(_ fields: [String: Any]) {
        guard let name = fields["name"] as? String, let type = fields["type"] as? String else { return nil }
        self.name = name
        folder = fields["path"] as? String ?? "\(type == "test" ? "Tests" : "Sources")/\(name)"
        // {"byName": [name, condition]}, {"product": [name, package, …]} or {"target": [name, condition]}
        let dependencies = fields["dependencies"] as? [[String: Any]] ?? []
        self.dependencies = Set(dependencies.compactMap { ($0.values.first as? [Any])?.first as? String })
    }
}
