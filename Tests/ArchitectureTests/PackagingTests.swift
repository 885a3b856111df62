import Foundation
import TestSupport
import Testing

/// The Debian packaging in `.debian` agrees with the rest of the repository. What is in a built package is
/// `.debian/check`'s business.
@Suite struct PackagingTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOf: Vectors.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The packages of a list in `udev/setup.sh`.
    private func packages(_ list: String) throws -> Set<String> {
        let pattern = try Regex("(?m)^\(list)=\"([^\"]*)\"$", as: (Substring, Substring).self)
        let match = try #require(try text("udev/setup.sh").firstMatch(of: pattern))
        return Set(match.1.split(separator: " ").map(String.init))
    }

    @Test func theVersionIsTheCommands() async throws {
        let version = try #require(try text(".debian/changelog").firstMatch(of: /\((.+?)\)/)).1
        let run = try await Subprocess.run(Subprocess.tapkit, ["--version"]).succeeded()
        #expect(run.text == "\(version)\n")
    }

    @Test func setupInstallsWhatBuildingThePackageNeeds() throws {
        let control = try text(".debian/control")
        let field = try #require(control.firstMatch(of: /Build-Depends:((?:.+,\n)+.+\n)/)).1
        let wanted = field.split(separator: ",").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        let installed = try packages("build_packages").union(packages("package_packages"))
        // Debian takes build-essential for granted, where it builds itself.
        let others: Set = ["build-essential", "debhelper", "dpkg-dev", "lintian", "shellcheck"]
        #expect(others.isSubset(of: installed))
        #expect(Set(wanted) == installed.subtracting(others).union(["debhelper-compat (= 13)"]))
    }

    /// What is fetched is what was read: no version that comes out later is built in unread, and the handbook names them.
    @Test func everyPackageHasOneVersion() throws {
        let packages = try text("Package.swift").matches(of: /\.package\(url: "[^"]+\/([^"\/]+)", (.+?)\)/)
        let page = try text("Sources/TapKitCLI/Handbook.docc/Security.md")
        #expect(packages.count >= 2)
        for package in packages {
            let version = try #require(package.2.firstMatch(of: /^exact: "([0-9.]+)"$/), "\(package.0)").1
            let name = package.1.replacing(".swift", with: "")
            #expect(page.contains("\(name) \(version)"), "\(name) \(version)")
        }
    }

    /// Every package that is linked in has its licence told.
    @Test func theCopyrightNamesEveryPackage() throws {
        let copyright = try text(".debian/copyright")
        let sources = try text("Package.swift").matches(of: /\.package\(url: "([^"]+)"/).map { String($0.1) }
        #expect(sources.count >= 2)
        for source in sources { #expect(copyright.contains(source), "\(source)") }
    }

    @Test func whatIsInstalledIsThere() async throws {
        let files = Set(try await Repository.files())
        for list in ["tapkit.install", "tapkit.docs", "tapkit.examples"] {
            for line in try text(".debian/\(list)").split(separator: "\n") {
                let source = String(line.split(separator: " ")[0])
                #expect(files.contains(source) || source.hasPrefix("debian/made/"), "\(source)")
            }
        }
    }
}
