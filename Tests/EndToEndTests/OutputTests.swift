import Bitcoin
import Foundation
import TestSupport
import Testing

/// Where the answer goes, and what happens when it cannot go there: status 73, and nothing lost.
@Suite struct OutputTests {
    @Test(arguments: ["none/out.psbt", "/proc/out.psbt", "."])
    func anOutputThatCannotBeIsNoticedBeforeTheCardSigns(_ output: String) async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        try await workshop.tapkit("derive", "m/84h/1h/7h").succeeded()
        let run = try await workshop.tapkit("sign", "tx.psbt", "-o", output, "--yes", "--json")
        let document = try run.expectFailure(73, "cannot_write")
        #expect(document["psbt"] == nil)
        #expect(try run.hint().contains("folder"))
        #expect(try await workshop.cardPath() == "m/84h/1h/7h")
    }

    @Test func aFullDiskLosesNoSignature() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        let run = try await workshop.tapkit("sign", "tx.psbt", "-o", "/dev/full", "--yes", "--json")
        let document = try run.expectFailure(73, "disk_full")
        #expect(try run.hint().contains("another disk") && run.hint().contains("kept in the local store"))
        try await PSBT(fileContent: Array(try document.text("psbt").utf8)).expectVerified()
        let words = try await workshop.tapkit("sign", "tx.psbt", "-o", "/dev/full", "--yes")
        #expect(words.status == 73)
        #expect(try PSBT(fileContent: Array(words.output)).isFinalized)
        var device = stat()
        #expect(stat("/dev/full", &device) == 0 && device.st_mode & S_IFMT == S_IFCHR)
    }

    /// What leads to standard output stays, also where that goes to a file, and nothing in the file is written over.
    @Test func standardOutputIsNotReplaced() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        try await workshop.bash("ln -s /dev/stdout link").succeeded()
        for (line, mark) in [
            ("tapkit export descriptors -o link", "wpkh(["),
            ("tapkit sign tx.psbt --yes --form base64 -o link", "cHNidP8B"),
        ] {
            try await workshop.bash("{ echo first; \(line); } >out && test -L link").succeeded()
            let words = String(decoding: try workshop.bytes("out"), as: UTF8.self)
            #expect(words.hasPrefix("first\n") && words.contains(mark), "\(words)")
        }
        // A backup must be kept: there, nothing would keep it.
        let refused = try await workshop.bash("tapkit backup -o link --json >answer")
        let answer = String(decoding: try workshop.bytes("answer"), as: UTF8.self)
        #expect(refused.status == 73 && answer.contains("cannot_write"))
    }

    @Test func aBackupThatCannotBeSavedLeavesTheCVCAsItIs() async throws {
        let workshop = try await Workshop(isSetUp: false)
        try workshop.folder.write("314159265358", to: "new")
        for target in ["none/backup.aes", "/dev/full"] {
            let run = try await workshop.tapkit("setup", "--backup", target, "--new-cvc-file", "new", "--json")
            try run.expectFailure(73, "cannot_write")
            #expect(try !run.hint().isEmpty)
        }
        let shown = try await workshop.tapkit("sim", "show", "card.json", "--show-keys", "--json").json()
        #expect(shown["cvc"] as? String == Workshop.printedCVC)
        try await workshop.tapkit("setup", "--new-cvc-file", "new").succeeded()
    }

    @Test(arguments: [["status"], ["status", "--json"], ["help", "errors"], ["xpub", "--json"]])
    func anAnswerThatNobodyTakesIsNoSuccess(_ arguments: [String]) async throws {
        let workshop = try await Workshop()
        let run = try await Subprocess.run(
            "sh", ["-c", #"exec "$@" >/dev/full"#, "sh", Subprocess.tapkit] + arguments,
            environment: workshop.environment, directory: workshop.folder.url)
        #expect(run.status == 73 && run.errorText.contains("tapkit: The answer could not be written"))
    }

    /// As at `| head`: whoever read has had enough. It ends as programs in pipes do, by the signal, and says nothing.
    @Test(arguments: [["status"], ["help", "errors"], ["readers", "--watch"]])
    func aReaderThatHasHadEnoughIsNoFailure(_ arguments: [String]) async throws {
        let workshop = try await Workshop()
        let (status, errorText) = try await withoutReader(workshop, arguments)
        #expect(status == 128 + SIGPIPE && !errorText.contains("could not be written"))
    }

    /// A program that asked for JSON never has enough of a part of it.
    @Test(arguments: [["status"], ["readers", "--watch"]])
    func aProgramThatStopsReadingIsTold(_ arguments: [String]) async throws {
        let workshop = try await Workshop()
        let (status, errorText) = try await withoutReader(workshop, arguments + ["--json"])
        #expect(status == 73 && errorText.contains("could not be written"))
    }

    /// A signature, a key, a transaction that was sent: whoever called must hear that the answer was lost.
    @Test func anAnswerThatIsNoListingIsMissed() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        let (status, errorText) = try await withoutReader(workshop, ["sign", "tx.psbt", "-o", "-", "--yes"])
        #expect(status == 73 && errorText.contains("could not be written"))
    }

    /// Runs the command with a standard output that nobody reads: it begins when the pipe's other end is closed.
    private func withoutReader(
        _ workshop: Workshop, _ arguments: [String]
    ) async throws -> (status: Int32?, errorText: String) {
        let script = """
            mkfifo closed
            { read -r _ < closed; "$@"; echo "$?" > status; } | { exec 0<&-; echo > closed; }
            """
        let run = try await Subprocess.run(
            "sh", ["-c", script, "sh", Subprocess.tapkit] + arguments, environment: workshop.environment,
            directory: workshop.folder.url
        ).succeeded()
        let status = try String(contentsOfFile: workshop.folder.path("status"), encoding: .utf8)
        return (Int32(status.trimmingCharacters(in: .newlines)), run.errorText)
    }

    /// Whoever listened has gone, and a reader that is watched is kept from others.
    @Test func aWatchThatNobodyListensToEnds() async throws {
        let workshop = try await Workshop()
        for options in [[], ["--json"]] {
            let run = try await Subprocess.run(
                "sh", ["-c", #"exec "$@" >/dev/full"#, "sh", Subprocess.tapkit, "readers", "--watch"] + options,
                environment: workshop.environment, directory: workshop.folder.url)
            #expect(run.status == 73)
        }
    }

    @Test func filesAreForTheirOwnerOnly() async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        try await workshop.tapkit("sign", "tx.psbt", "--yes").succeeded()
        for name in ["card.json", "backup.aes", "tx.signed.psbt"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: workshop.folder.path(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: workshop.folder.url.path)
        #expect(Set(names) == ["card.json", "backup.aes", "cvc", "tx.psbt", "tx.signed.psbt"])
    }
}
