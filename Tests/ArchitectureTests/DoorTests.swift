import Foundation
import TestSupport
import Testing

/// Which target may import which.
@Suite struct DoorTests {
    /// Read once: SwiftPM compiles the manifest for each reading.
    private static let manifest = Task { try await Manifest.read() }

    @Test func everyFolderIsInTheTable() async throws {
        let folders = try await Repository.files().filter { $0.hasPrefix("Sources/") }
            .map { String($0.split(separator: "/")[1]) }
        #expect(Set(folders) == Set(Room.all.map(\.folder)))
    }

    @Test(arguments: Room.all)
    func importsOnlyWhatTheTableAllows(_ room: Room) async throws {
        let files = try await SourceFile.all().filter { $0.folder == room.folder }
        for file in files {
            let forbidden = file.imports.subtracting(room.doors).subtracting(room.system)
            #expect(forbidden.isEmpty, "\(file.path) imports \(forbidden.sorted())")
        }
    }

    @Test func theManifestDeclaresOnlyWhatTheTableAllows() async throws {
        let manifest = try await Self.manifest.value
        let tests = manifest.targets.filter { $0.folder.hasPrefix("Tests/") }.map(\.name)
        #expect(Set(manifest.targets.map(\.name)).subtracting(tests) == Set(Room.all.map(\.target)))
        for room in Room.all {
            let target = try #require(manifest.targets.first { $0.name == room.target })
            #expect(target.folder == "Sources/\(room.folder)")
            let forbidden = target.dependencies.subtracting(room.doors)
            #expect(forbidden.isEmpty, "\(room.target) depends on \(forbidden.sorted())")
        }
    }

    /// SwiftPM checks dependencies out below `checkouts`, and takes none with such flags.
    @Test(arguments: [("checkouts", false), ("elsewhere", true)])
    func whoDependsOnThePackageGetsItWithoutUnsafeFlags(_ parent: String, _ isExpected: Bool) async throws {
        let files = try TemporaryFolder()
        let package = files.url.appendingPathComponent("\(parent)/tapkit")
        try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
        let manifestFile = Vectors.root.appendingPathComponent("Package.swift")
        try FileManager.default.copyItem(at: manifestFile, to: package.appendingPathComponent("Package.swift"))
        let manifest = try await Manifest.read(in: package, fuzzing: false)
        #expect(manifest.targets.contains { $0.name == "Bitcoin" })
        #expect(manifest.hasUnsafeFlags == isExpected)
    }

    @Test func theLibrariesAreProducts() async throws {
        let products = try await Self.manifest.value.products
        #expect(products.isSuperset(of: Room.libraries))
        #expect(products.contains("tapkit"))
    }

    @Test(arguments: [
        ("import Foundation", "Foundation"), ("  import Glibc // C", "Glibc"),
        ("@preconcurrency import CSecp256k1", "CSecp256k1"), ("@testable import Bitcoin", "Bitcoin"),
        ("@_spi(Testing) public import SmartCard", "SmartCard"), ("import struct Foundation.Data", "Foundation"),
        ("@_exported import ByteCodec", "ByteCodec"), ("let a = 1; import Dispatch", "Dispatch"),
    ])
    func findsAnImport(statement: String, module: String) {
        #expect(SourceFile(path: "Sources/X/x.swift", text: "\n\(statement)\n").imports == [module])
    }

    @Test(arguments: ["// import Foundation", "/// import Foundation", "let important = 1", "importKey(x)"])
    func takesNothingElseForAnImport(line: String) {
        #expect(SourceFile(path: "Sources/X/x.swift", text: line).imports.isEmpty)
    }
}
