import Foundation
import TestSupport
import Testing

/// The CVC: where it comes from, what is no CVC, and what wrong ones cost.
@Suite struct CVCTests {
    @Test(arguments: ["12345", String(repeating: "1", count: 33), "12345a", "", "123 456", "１２３４５６"])
    func whatIsNoCVCIsSaidBeforeAnyCardIsAsked(_ text: String) async throws {
        let workshop = try await Workshop()
        try workshop.folder.write(text + "\n", to: "cvc")
        try await workshop.writePSBT()
        for arguments in [["xpub"], ["setup", "--keep-cvc"], ["backup"], ["sign", "tx.psbt"], ["derive", "m/84h"]] {
            // There is no card to ask, and nobody notices.
            let run = try await Subprocess.run(
                Subprocess.tapkit, arguments + ["--json", "--trace", "--reader", "sim:none"],
                environment: workshop.environment, directory: workshop.folder.url)
            try run.expectFailure(77, "bad_cvc")
            #expect(run.errorText.isEmpty)
            #expect(text.isEmpty || !run.text.contains(text))
        }
    }

    @Test func aNewCVCIsCheckedToo() async throws {
        let workshop = try await Workshop()
        try workshop.folder.write("12345", to: "new")
        try await workshop.tapkit("change-cvc", "--new-cvc-file", "new", "--json", "--reader", "sim:none")
            .expectFailure(77, "bad_cvc")
    }

    @Test func itComesFromTheFirstLineOfStandardInput() async throws {
        let workshop = try await Workshop()
        for (start, end) in [("", "\r\nand more\n"), ("", " \n"), (" \t", " ")] {
            let input = Data("\(start)\(Workshop.printedCVC)\(end)".utf8)
            try await workshop.tapkit("xpub", "--cvc-file", "-", input: input).succeeded()
        }
    }

    /// As a password manager gives it away: in a pipe, which has a name while it is open.
    @Test(arguments: [
        "tapkit xpub --cvc-file /dev/stdin <cvc", "cat cvc | tapkit xpub --cvc-file /dev/stdin",
        "cat cvc | tapkit xpub --cvc-file /dev/fd/0", "tapkit xpub --cvc-file <(cat cvc)",
        "tapkit xpub --cvc-file <(sleep 1; cat cvc)", "tapkit sign --yes tx.psbt --cvc-file <(cat cvc)",
        "tapkit change-cvc --cvc-file <(cat cvc) --new-cvc-file <(echo 7654321)",
        "tapkit change-cvc --cvc-file <(cat cvc) --new-cvc-file /dev/stdin <<<7654321",
    ])
    func itComesThroughAPipe(_ line: String) async throws {
        let workshop = try await Workshop()
        try await workshop.writePSBT()
        let run = try await workshop.bash(line).succeeded()
        #expect(!run.errorText.contains("WARNING: Others"), "\(run.errorText)")
        if line.contains("sign") { try await workshop.psbt("tx.signed.psbt").expectVerified() }
    }

    /// Only one thing can come from standard input, whatever it is called: which two is said, and what to do.
    @Test(arguments: [
        "sign /dev/stdin --cvc-file -", "sign - --cvc-file /dev/stdin", "sign /dev/fd/0 --cvc-file /proc/self/fd/0",
        "change-cvc --cvc-file /dev/stdin --new-cvc-file -", "message sign - --cvc-file /dev/stdin",
        "backup verify /dev/stdin --key-file -", "backup verify backup.aes --key-file /dev/stdin --cvc-file -",
    ])
    func standardInputIsForOneThing(_ words: String) async throws {
        let workshop = try await Workshop()
        let run = try await workshop.bash("tapkit \(words) --json <cvc")
        let error: [String: Any] = try run.expectFailure(64, "usage").field("error")
        #expect(try error.text("message").hasSuffix("cannot both come from standard input."))
        #expect(try run.hint() == "Name a file for one of them, or use the shell's <(…).")
    }

    @Test func nobodyIsAskedWithoutATerminal() async throws {
        let workshop = try await Workshop()
        var environment = workshop.environment
        environment.updateValue(nil, forKey: "TAPKIT_CVC_FILE")
        let run = try await Subprocess.run(
            Subprocess.tapkit, ["xpub", "--json"], environment: environment, directory: workshop.folder.url)
        try run.expectFailure(77, "cvc_needed")
        #expect(try run.hint().contains("--cvc-file"))
    }

    @Test func theCVCOfACardWithoutAKeyIsNotChanged() async throws {
        let workshop = try await Workshop(isSetUp: false)
        try workshop.folder.write("314159265358", to: "new")
        try await workshop.tapkit("change-cvc", "--new-cvc-file", "new", "--json").expectFailure(65, "not_set_up")
    }

    /// Two wrong ones are told; the third begins the delay, which the next command runs off.
    @Test func wrongCVCsAreCountedAndTheDelayIsRunOff() async throws {
        let workshop = try await Workshop()
        try workshop.folder.write("000000", to: "wrong")
        var hints: [String] = []
        for _ in 1...3 {
            let run = try await workshop.tapkit("xpub", "--cvc-file", "wrong", "--json")
            try run.expectFailure(77, "wrong_cvc")
            hints.append(try run.hint())
        }
        #expect(hints[0].contains("2 more wrong tries"))
        #expect(hints[2].contains("15 s") && hints[2].contains("tapkit wait") && !hints[0].contains("tapkit wait"))
        let status = try await workshop.tapkit("status", "--json").json()
        #expect(status["auth_delay_s"] as? Int == 15)
        let next = try await workshop.tapkit("xpub", "--json").succeeded()
        #expect(next.errorText.contains("The card is locked out after wrong CVCs: 15 seconds left."))
        #expect(next.errorText.contains("Lockout: 15 s left."))
        #expect(try await workshop.tapkit("status", "--json").json()["auth_delay_s"] as? Int == 0)
    }

    /// A CVC that others can read is used, and its file is named with what to do about it.
    @Test(arguments: [(0o600, false), (0o640, true), (0o604, true), (0o644, true), (0o700, false)])
    func aCVCFileThatOthersCanReadIsNamed(_ mode: Int, _ isNamed: Bool) async throws {
        let workshop = try await Workshop()
        let file = workshop.folder.path("cvc")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        try await workshop.writePSBT()
        for arguments in [["xpub", "--json"], ["sign", "tx.psbt", "--yes", "--json", "-o", "out"]] {
            let run = try await workshop.tapkit(arguments).succeeded()
            let lines = run.errorText.split(separator: "\n").filter { $0.hasPrefix("WARNING: Others") }
            #expect(lines.count == (isNamed ? 1 : 0), "\(run.errorText)")
            guard isNamed else { continue }
            let line = try #require(lines.first)
            #expect(line.contains("mode 0\(String(mode, radix: 8))") && line.hasSuffix("chmod 600 \(file)"))
        }
        // A new one, too.
        let new = try workshop.folder.write("7654321\n", to: "new")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: new)
        let changed = try await workshop.tapkit("change-cvc", "--new-cvc-file", "new", "--json").succeeded()
        #expect(changed.errorText.contains("chmod 600 new") == isNamed)
    }
}
