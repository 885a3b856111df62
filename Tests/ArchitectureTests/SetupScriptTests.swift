import Foundation
import TestSupport
import Testing

/// `udev/setup.sh`, without touching the system it runs on.
@Suite struct SetupScriptTests {
    private let script = Vectors.root.appendingPathComponent("udev/setup.sh").path
    private let files = [
        ("70-tapkit.rules", "etc/udev/rules.d/70-tapkit.rules"),
        ("tapkit-blacklist.conf", "etc/modprobe.d/tapkit-blacklist.conf"),
    ]

    @Test func installsTheFilesOnce() async throws {
        let root = try TemporaryFolder()
        #expect(try await Subprocess.run(script, ["--root", root.url.path, "--check"]).status == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: root.url.path).isEmpty)

        let first = try await Subprocess.run(script, ["--root", root.url.path]).succeeded()
        #expect(first.text.components(separatedBy: ": installed.").count == 3)
        for (source, target) in files {
            let ours = try Data(contentsOf: Vectors.root.appendingPathComponent("udev/\(source)"))
            #expect(try Data(contentsOf: root.url.appendingPathComponent(target)) == ours)
        }

        let second = try await Subprocess.run(script, ["--root", root.url.path]).succeeded()
        #expect(!second.text.contains("installed."))
        try await Subprocess.run(script, ["--root", root.url.path, "--check"]).succeeded()
    }

    @Test func whatCannotBeInstalledIsNotCalledInstalled() async throws {
        let root = try TemporaryFolder()
        try root.write("", to: "a-file")
        let run = try await Subprocess.run(script, ["--root", root.path("a-file")])
        #expect(run.status == 1)
        #expect(!run.text.contains("installed."))
    }

    @Test func mendsAFileThatWasChanged() async throws {
        let root = try TemporaryFolder()
        try await Subprocess.run(script, ["--root", root.url.path]).succeeded()
        try root.write("# emptied\n", to: files[0].1)
        #expect(try await Subprocess.run(script, ["--root", root.url.path, "--check"]).status == 1)
        try await Subprocess.run(script, ["--root", root.url.path]).succeeded()
        try await Subprocess.run(script, ["--root", root.url.path, "--check"]).succeeded()
    }

    @Test func withoutRootItOnlySaysWhatIsToDo() async throws {
        let tools = try TemporaryFolder()
        try fake("dpkg-query", "exit 1", in: tools)
        try fake("id", "echo 1000", in: tools)
        try fake("sudo", "exit 1", in: tools)
        try fake("apt-get", "echo never > \(tools.path("called"))", in: tools)
        let path = "\(tools.url.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
        let run = try await Subprocess.run(script, environment: ["PATH": path])
        #expect(run.status == 1)
        #expect(run.text.contains("It would run: apt-get update && apt-get install libpcsclite-dev "))
        #expect(!FileManager.default.fileExists(atPath: tools.path("called")))
        // Whoever only builds and uses tapkit needs nothing of the tests.
        #expect(!run.text.contains("chromium"))
        let tests = try await Subprocess.run(script, ["--check", "--tests"], environment: ["PATH": path])
        #expect(tests.status == 1 && tests.text.contains(" chromium "))
    }

    @Test func installsOnlyThePackagesThatAreMissing() async throws {
        let tools = try TemporaryFolder()
        try fake("dpkg-query", "[ \"$4\" = nettle-dev ] || echo installed", in: tools)
        try fake("id", "echo 0", in: tools)
        try fake("apt-get", "echo \"$*\" >> \(tools.path("called"))", in: tools)
        try fake("cmp", "exit 0", in: tools)
        let path = "\(tools.url.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
        let check = try await Subprocess.run(script, ["--check"], environment: ["PATH": path])
        #expect(check.status == 1)
        #expect(check.text.contains("Packages missing: nettle-dev\n"))
        #expect(!FileManager.default.fileExists(atPath: tools.path("called")))

        try await Subprocess.run(script, environment: ["PATH": path]).succeeded()
        let called = try String(contentsOfFile: tools.path("called"), encoding: .utf8)
        #expect(called == "update\ninstall --yes --no-install-recommends nettle-dev\n")
    }

    @Test(arguments: [
        ("12.4+deb12u11", "Debian 12: tested."), ("13", "Debian 13: tested."), ("13.2", "Debian 13: tested."),
        ("13+deb13u1", "Debian 13: tested."),
        ("11.1+deb11u9", "not tested; Debian 12 and 13 are."), ("14", "not tested; Debian 12 and 13 are."),
        ("130.1", "not tested"), ("13ubuntu10", "not tested"), ("", "not tested"),
    ])
    func saysWhichReleasesWereTried(_ version: String, _ words: String) async throws {
        let tools = try TemporaryFolder()
        try fake("dpkg-query", "case $4 in base-files) echo '\(version)' ;; *) echo installed ;; esac", in: tools)
        try fake("cmp", "exit 0", in: tools)
        let path = "\(tools.url.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
        let run = try await Subprocess.run(script, ["--check"], environment: ["PATH": path]).succeeded()
        #expect(run.text.components(separatedBy: "\n")[0].contains(words), "\(run.text)")
    }

    @Test(arguments: [
        ["--root"], ["--root", "/"], ["--sideways"], ["extra"], ["--prefix"], ["--prefix", "/"], ["--prefix", "here"],
        ["--remove"], ["--binary", "tapkit"], ["--prefix", "/nowhere", "--check", "--remove"],
    ])
    func refusesOtherArguments(_ arguments: [String]) async throws {
        #expect(try await Subprocess.run(script, arguments).status == 64)
    }

    @Test(arguments: ["python", "node"])
    func onlyLooksForTheJudgesWhenAsked(_ judge: String) async throws {
        let root = try TemporaryFolder()
        let folder = root.url.appendingPathComponent("Tests/Interop")
        try FileManager.default.createDirectory(
            at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: Vectors.root.appendingPathComponent("Tests/Interop"), to: folder)
        let run = try await Subprocess.run(folder.appendingPathComponent("setup-\(judge)").path, ["--check"])
        #expect(run.status == 1)
        let made = (try? FileManager.default.contentsOfDirectory(atPath: root.path(".build"))) ?? []
        #expect(made.allSatisfy { $0.hasSuffix(".lock") })
    }

    private func fake(_ command: String, _ body: String, in folder: TemporaryFolder) throws {
        let path = try folder.write("#!/bin/sh\n\(body)\n", to: command)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
}
