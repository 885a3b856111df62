import Foundation
import TestSupport
import Testing

/// `udev/setup.sh --prefix`: the command with its manual and its completions, below a folder of one's choice.
@Suite(.fewAtATime) struct PrefixTests {
    private static let completions = [
        "bash": "share/bash-completion/completions/tapkit", "zsh": "share/zsh/site-functions/_tapkit",
        "fish": "share/fish/vendor_completions.d/tapkit.fish",
    ]

    private static let units = ["service", "socket"].map { "share/systemd/user/tapkit.\($0)" }

    private let prefix: TemporaryFolder
    private let tools: TemporaryFolder
    /// Answers all that the script asks of tapkit, which itself takes long: for tests that do not depend on the answers.
    private let standIn: String

    init() throws {
        prefix = try TemporaryFolder()
        tools = try TemporaryFolder()
        let body = """
            #!/bin/sh
            case "$1" in
                --generate-manual) mkdir "$2" && echo page >"$2/tapkit.1" && echo wallets >"$2/tapkit-wallets.7" ;;
                --generate-completion-script) echo "$2" ;;
                *) exit 64 ;;
            esac

            """
        standIn = try tools.write(body, to: "tapkit")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: standIn)
    }

    private func setup(_ arguments: String...) async throws -> Subprocess {
        try await Subprocess.run(Vectors.root.appendingPathComponent("udev/setup.sh").path, arguments)
    }

    private func install(_ command: String = Subprocess.tapkit, _ arguments: String...) async throws -> Subprocess {
        try await Subprocess.run(
            Vectors.root.appendingPathComponent("udev/setup.sh").path,
            ["--prefix", prefix.url.path, "--binary", command] + arguments)
    }

    /// The files below a folder.
    private func files(below folder: URL) -> Set<String> {
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return Set(
            names.filter { name in
                var isFolder: ObjCBool = false
                let path = folder.appendingPathComponent(name).path
                return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
            })
    }

    private func manualPages() async throws -> Set<String> {
        let folder = try TemporaryFolder()
        // Whatever it is called.
        let manual = folder.url.appendingPathComponent("a 'b' $(c)")
        try await Subprocess.run(Subprocess.tapkit, ["--generate-manual", manual.path]).succeeded()
        let names = files(below: manual).map { "share/man/man\($0.suffix(1))/\($0)" }
        #expect(names.contains("share/man/man1/tapkit.1") && names.contains("share/man/man7/tapkit-wallets.7"))
        return Set(names)
    }

    @Test func everythingIsInstalledOnceAndTakenAwayAgain() async throws {
        let expected = try await manualPages().union(Self.completions.values).union(Self.units)
            .union(["bin/tapkit"])
        let first = try await install().succeeded()
        #expect(first.text.components(separatedBy: ": installed.").count == expected.count + 1)
        #expect(files(below: prefix.url) == expected)
        #expect(first.text.contains("fpath=(\(prefix.path("share/zsh/site-functions")) $fpath)"))
        try await install(Subprocess.tapkit, "--check").succeeded()

        for name in expected {
            let mode = try FileManager.default.attributesOfItem(atPath: prefix.path(name))[.posixPermissions]
            #expect(mode as? Int == (name == "bin/tapkit" ? 0o755 : 0o644), "\(name)")
        }
        let help = try await Subprocess.run(prefix.path("bin/tapkit"), ["--version"]).succeeded()
        #expect(help.text == (try await Subprocess.run(Subprocess.tapkit, ["--version"]).text))

        // What somebody else put beside it stays.
        let others: Set = ["share/man/man1/other.1", "share/man/man7/other.7"]
        for name in others { try prefix.write("", to: name) }
        try await setup("--prefix", prefix.url.path, "--remove").succeeded()
        #expect(files(below: prefix.url) == others)
        try await setup("--prefix", prefix.url.path, "--remove").succeeded()
    }

    @Test func nothingIsInstalledTwice() async throws {
        #expect(try await install(standIn, "--check").status == 1)
        #expect(files(below: prefix.url).isEmpty)
        try await install(standIn).succeeded()
        #expect(!(try await install(standIn).succeeded().text.contains("installed.")))
    }

    @Test func aChangedFileIsMended() async throws {
        try await install(standIn).succeeded()
        try prefix.write("changed\n", to: "share/man/man1/tapkit.1")
        #expect(try await install(standIn, "--check").status == 1)
        let again = try await install(standIn).succeeded()
        #expect(again.text.components(separatedBy: ": installed.").count == 2)
    }

    @Test func aRootGoesBeforeThePrefix() async throws {
        let run = try await setup("--root", prefix.url.path, "--prefix", "/usr", "--binary", standIn)
            .succeeded()
        #expect(!run.text.contains("fpath"))
        let installed = files(below: prefix.url)
        #expect(installed.isSuperset(of: ["usr/bin/tapkit", "etc/udev/rules.d/70-tapkit.rules"]))
    }

    /// Whatever the folder for temporary files is called, its name is no command.
    @Test(arguments: ["it's; touch HARM; '", "$(touch HARM)", "a b", "'\"; touch HARM; \"'"])
    func theFolderForTemporaryFilesIsNoCommand(_ name: String) async throws {
        let place = try TemporaryFolder()
        let temporary = place.url.appendingPathComponent(name.replacingOccurrences(of: "/", with: "-"))
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        let run = try await Subprocess.run(
            Vectors.root.appendingPathComponent("udev/setup.sh").path,
            ["--prefix", prefix.url.path, "--binary", standIn],
            environment: ["TMPDIR": temporary.path], directory: place.url
        ).succeeded()
        #expect(run.text.contains(": installed."))
        #expect(!FileManager.default.fileExists(atPath: place.path("HARM")))
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
    }

    /// The service's unit names the command that was installed, in systemd's spelling.
    @Test func theUnitStartsTheInstalledCommand() async throws {
        let place = prefix.path("a $c 100%")
        try await setup("--prefix", place, "--binary", standIn).succeeded()
        let unit = try String(contentsOfFile: "\(place)/share/systemd/user/tapkit.service", encoding: .utf8)
        let spelled = place.replacingOccurrences(of: "%", with: "%%")
        #expect(unit.contains("\nExecStart=\"\(spelled)/bin/tapkit\" serve --idle 300\n"))
        let source = Vectors.root.appendingPathComponent("udev/tapkit.service")
        let lines = try String(contentsOf: source, encoding: .utf8).split(separator: "\n")
        #expect(lines.filter { !$0.hasPrefix("ExecStart") }.allSatisfy { unit.contains("\($0)\n") })
        // systemd starts no such command.
        let quoted = prefix.path("a \"b\"")
        try await setup("--prefix", quoted, "--binary", standIn).succeeded()
        #expect(FileManager.default.fileExists(atPath: "\(quoted)/bin/tapkit"))
        #expect(!FileManager.default.fileExists(atPath: "\(quoted)/share/systemd"))
    }

    @Test func withoutACommandItSaysHowToBuildOne() async throws {
        let run = try await setup("--prefix", prefix.url.path, "--binary", prefix.path("none"))
        #expect(run.status == 1)
        #expect(run.text.contains("swift build -c release"))
        #expect(files(below: prefix.url).isEmpty)
    }

    @Test func shellsTakeTheCompletions() async throws {
        try await install().succeeded()
        for (shell, name) in Self.completions {
            let run = try await Subprocess.run(shell, ["-n", prefix.path(name)])
            #expect(run.ending == .exited(0) && run.errorOutput.isEmpty, "\(shell): \(run.errorText)")
        }
        let bash = try await Subprocess.run(
            "bash",
            [
                "-c",
                """
                source "$1"
                COMP_WORDS=(tapkit s) COMP_CWORD=1 COMP_LINE="tapkit s" COMP_POINT=8 COMP_TYPE=9
                _tapkit tapkit s tapkit
                printf '%s\\n' "${COMPREPLY[@]}"
                """, "bash", prefix.path(Self.completions["bash"] ?? ""),
            ])
        #expect(
            Set(bash.text.split(separator: "\n")).isSuperset(of: ["status", "sign", "setup", "sim"]),
            "\(bash.text)\(bash.errorText)")
        let fish = try await Subprocess.run(
            "fish",
            ["--no-config", "-c", "source \(prefix.path(Self.completions["fish"] ?? "")); complete -C 'tapkit s'"],
            environment: ["HOME": prefix.url.path])
        let words = fish.text.split(separator: "\n").compactMap { $0.split(separator: "\t").first }
        #expect(Set(words).isSuperset(of: ["status", "sign", "setup", "sim"]), "\(fish.text)\(fish.errorText)")
    }
}
