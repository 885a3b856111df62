import Bitcoin
import Foundation
import TestSupport
import Testing

/// How HWI's command line fails: its codes, its statuses, its ways to a password.
@Suite(.fewAtATime) struct HWIErrorTests {
    @Test func whichDevice() async throws {
        let hwi = HWICommandLine(workshop: try await Workshop(), options: [])
        let file = hwi.workshop.cardFile
        try await hwi.expectError(-1, "must specify a device type or fingerprint", "--emulators", "getxpub", "m")
        try await hwi.expectError(-1, "", "--emulators", "-d", "sim:\(file)", "getxpub", "m")
        try await hwi.expectError(-3, "Could not find device", "--emulators", "-f", "00000000", "getxpub", "m")
        try await hwi.expectError(-3, "Could not find device", "--emulators", "-t", "trezor", "getxpub", "m")
        try await hwi.expectError(-4, "Unknown device type", "-t", "trezor", "-d", "sim:\(file)", "getxpub", "m")
        try await hwi.expectError(-3, "Could not find device", "-t", "tapsigner", "getxpub", "m")
        try await hwi.expectError(-3, "Could not find device", "--emulators", "-f", "xyz", "getxpub", "m")
        try await hwi.expectError(-1, "must specify a device type", "-f", "", "getxpub", "m")
        // HWI's paths of other devices are none of ours, and HWI's callers compare these words.
        try await hwi.expectError(-1, "must specify a device type", "-d", "fakepath", "getxpub", "m")
        for (arguments, message) in [
            (["-t", "fakedev", "-d", "fakepath", "getmasterxpub"], "Unknown device type specified"),
            (["-t", "tapsigner", "getxpub", "m"], "Could not find device with specified fingerprint or type"),
            (
                ["--emulators", "-f", "0000ffff", "-d", "fakepath", "getxpub", "m"],
                "Could not find device with specified fingerprint or type"
            ),
        ] {
            #expect(try await hwi.run(arguments).succeeded().json().text("error") == message)
        }
        try await hwi.expectError(-3, "fakepath", "-t", "tapsigner", "-d", "fakepath", "getxpub", "m")
        #expect(
            try await hwi.run(["-t", "tapsigner", "getxpub", "m"]).errorText.contains("use --emulators to show it"))
        #expect(
            try await hwi.list("enumerate", environment: ["TAPKIT_READER": "sim:\(file).missing"]).isEmpty)
    }

    /// What the store remembers of a card is a hint: one that has another fingerprint is another card.
    @Test func aFingerprintThatIsNotTheCards() async throws {
        let hwi = try await HWICommandLine.withCard()
        let own = try await hwi.workshop.wallet().fingerprint
        try await Subprocess.run(
            "/usr/bin/python3",
            [
                "-c",
                "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute(\"UPDATE card SET fingerprint = x'01020304'\"); "
                    + "d.commit()",
                hwi.workshop.storeFolder.path("data/store.sqlite"),
            ]
        ).succeeded()
        let stale = HWICommandLine(
            workshop: hwi.workshop, options: ["--emulators", "-f", "01020304", "--chain", "test"])
        try await stale.expectError(
            -3,
            "has the fingerprint \(own), not 01020304, which was remembered for it. If you mean this card, run the "
                + "command again with -f \(own).", "getxpub", "m/84h/1h/0h")
        // From now on it is known by its own.
        #expect(try await hwi("getxpub", "m/84h/1h/0h")["xpub"] is String)
    }

    /// Three wrong CVCs in a row cost a delay: one call of a program that has the wrong one costs one.
    @Test func aWrongPasswordIsTriedOnce() async throws {
        let workshop = try await Workshop()
        let (fingerprint, psbt) = (try await workshop.wallet().fingerprint, try await workshop.writePSBT(inputs: 2))
        let text = String(decoding: psbt.encoded(as: .base64), as: UTF8.self)
        let card = try Data(contentsOf: URL(fileURLWithPath: workshop.cardFile))
        for chosen in [["-t", "tapsigner"], ["-f", "\(fingerprint)"], ["-f", "00000001"]] {
            for isKnown in [false, true] {
                for command in [
                    ["enumerate"], ["getxpub", "m/84h/1h/7h"], ["signtx", text],
                    ["displayaddress", "--path", "m/84h/1h/0h/0/0"],
                    ["signmessage", "x", "m/84h/1h/7h/0/0"], ["getdescriptors"],
                    ["getmasterxpub"], ["getkeypool", "0", "3"], ["backup"],
                ] {
                    try card.write(to: URL(fileURLWithPath: workshop.cardFile))
                    let store: [String: String?] =
                        isKnown ? [:] : ["TAPKIT_DATA_DIR": workshop.folder.path(UUID().uuidString)]
                    _ = try await HWICommandLine(workshop: workshop, options: ["--emulators", "-p", "999999"] + chosen)
                        .run(command, environment: store)
                    let state = try #require(
                        try JSONSerialization.jsonObject(
                            with: Data(contentsOf: URL(fileURLWithPath: workshop.cardFile)))
                            as? [String: Any])
                    let tries = try #require(state["wrong_attempts"] as? Int)
                    #expect(tries <= 1, "\(chosen) \(isKnown) \(command): \(tries)")
                }
            }
        }
    }

    @Test func commandLine() async throws {
        let hwi = HWICommandLine(workshop: try await Workshop(isSetUp: false), options: [])
        for arguments in [
            [], ["--foo"], ["enumerate", "--foo"], ["frobnicate"], ["getxpub"], ["--chain", "dogecoin", "enumerate"],
            ["-f"],
            ["--emulators", "frobnicate"], ["getkeypool", "a", "b"], ["signmessage", "alone"],
        ] {
            let run = try await hwi.run(arguments)
            #expect(run.status == 2, "\(arguments): \(run.text)")
            let answer = try run.json()
            #expect(answer["code"] as? Int == -2 && answer["error"] is String, "\(arguments)")
        }
        for arguments in [["--help"], ["-h"], ["getxpub", "--help"]] {
            let help = try await hwi.run(arguments).succeeded()
            #expect(try help.json()["code"] as? Int == -17)
            #expect(help.errorText.contains("USAGE: hwi"))
        }
        let version = try await hwi.run(["--version"]).succeeded()
        #expect(version.text == "hwi 3.2.0\n")
    }

    @Test func whatACardCannotDo() async throws {
        let hwi = try await HWICommandLine.withCard()
        for command in [
            ["wipe"], ["promptpin"], ["togglepassphrase"], ["sendpin", "1"], ["-i", "restore"], ["setup"],
        ] {
            let answer = try await hwi.run(command).succeeded().json()
            #expect(answer["code"] as? Int == -9, "\(command): \(answer)")
        }
        try await hwi.expectError(-10, "", "-i", "setup")
        let fresh = HWICommandLine(
            workshop: try await Workshop(isSetUp: false), options: ["--emulators", "-t", "tapsigner"])
        try await fresh.expectError(-18, "", "getxpub", "m/84h/1h/0h")
        try await fresh.expectError(-18, "", "backup")
        let listed = try await fresh.list("--expert", "enumerate")
        #expect(listed.first?["code"] as? Int == -18 && listed.first?["fingerprint"] == nil)
        #expect(try await fresh.list("enumerate").isEmpty)
        let gift = HWICommandLine(
            workshop: try await Workshop.satscard("--network", "test"), options: ["--emulators", "-t", "satscard"])
        try await gift.expectError(-3, "Could not find device", "getxpub", "m")
        #expect(try await gift.run(["getxpub", "m"]).errorText.contains("cannot be used as a wallet in HWI"))
    }

    @Test func passwords() async throws {
        let hwi = try await HWICommandLine.withCard()
        let none: [String: String?] = ["TAPKIT_CVC_FILE": nil, "PATH": "/nonexistent"]
        let path = "m/84h/1h/0h"
        let xpub = try await hwi("getxpub", path).text("xpub")
        let cvc = Workshop.printedCVC
        #expect(try await hwi("-p", cvc, "getxpub", path, environment: none).text("xpub") == xpub)
        #expect(try await hwi("--password=\(cvc)", "getxpub", path, environment: none).text("xpub") == xpub)
        #expect(
            try await hwi("--stdinpass", "getxpub", path, input: "\(cvc)\n", environment: none).text("xpub") == xpub)
        #expect(
            try await hwi("--stdinpass", "--stdin", input: "getxpub\n\(path)\n\n\(cvc)\n", environment: none)
                .text("xpub") == xpub)
        #expect(
            try await hwi("--stdin", input: "-p \"\(cvc)\" getxpub '\(path)'", environment: none).text("xpub") == xpub)
        #expect(
            try await hwi("--cvc-file", "-", "getxpub", path, input: "\(cvc)\n", environment: none).text("xpub")
                == xpub)
        try await hwi.expectError(-7, "CVC", "-p", "12ab", "getxpub", path, environment: none)
        try await hwi.expectError(-7, "", "-p", "999999", "getxpub", path, environment: none)
        try await hwi.expectError(-6, "", "-p", "", "getxpub", path, environment: none)
        try await hwi.expectError(-6, "", "--stdinpass", "getxpub", path, environment: none)
        try await hwi.expectError(-2, "", "--stdin", input: "getxpub 'm", environment: none)
    }

    /// A caller may give every device the same password; a card counts a wrong CVC, and is not tried.
    @Test func onePasswordForAll() async throws {
        let (first, second) = (try await Workshop(), try await Workshop())
        let sandbox = try await PCSCSandbox(card: first.cardFile, second.cardFile)
        func hwi(_ arguments: String...) async throws -> Subprocess {
            try await sandbox.run(
                Subprocess.tapkit, ["hwi"] + arguments,
                environment: first.environment.merging([
                    "TAPKIT_READER": nil, "TAPKIT_CVC_FILE": nil, "TAPKIT_DATA_DIR": first.folder.path("new"),
                ]) { $1 }, directory: first.folder.url
            ).succeeded()
        }
        let wanted = try await second.wallet().fingerprint
        for _ in 0..<2 {
            let listed = try await hwi("-p", "999999", "enumerate")
            #expect(listed.text == "[]\n" && listed.errorText.contains("the given CVC is not tried on all of them"))
            let refused = try await hwi("-p", "999999", "-f", "\(wanted)", "getxpub", "m").json()
            #expect(refused["code"] as? Int == -3)
            #expect(try refused.text("error").contains("--card"))
        }
        #expect(try await hwi("-p", "no CVC", "enumerate").text == "[]\n")
        let named = try await hwi("-p", Workshop.printedCVC, "--card", second.ident, "-f", "\(wanted)", "getxpub", "m")
        #expect(try named.json()["xpub"] is String)
        // No try was spent on either: the next wrong one is the first.
        for ident in [first.ident, second.ident] {
            let wrong = try await hwi("-p", "999999", "--card", ident, "-t", "tapsigner", "getxpub", "m").json()
            #expect(try wrong.text("error").contains("At most 2 more"), "\(wrong)")
        }
    }

    /// Whoever lists the processes does not see the CVC.
    @Test func thePasswordLeavesTheProcessList() async throws {
        let hwi = try await HWICommandLine.withCard()
        let process = try hwi.workshop.start(
            ["hwi"] + hwi.options + ["-p", Workshop.printedCVC, "--stdin"], environment: ["TAPKIT_CVC_FILE": nil])
        let list = "/proc/\(process.identifier)/cmdline"
        let deadline = ContinuousClock.now + .seconds(60)
        var line = ""
        while ContinuousClock.now < deadline {
            line = try String(contentsOfFile: list, encoding: .utf8)
            if line.contains("***") { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(line.contains("--stdin") && !line.contains(Workshop.printedCVC))
        try await process.stop()
    }

    @Test func theSameByTheNameOfHWI() async throws {
        let hwi = try await HWICommandLine.withCard()
        let link = hwi.workshop.folder.url.appendingPathComponent("hwi")
        try FileManager.default.createSymbolicLink(
            at: link, withDestinationURL: URL(fileURLWithPath: try Subprocess.locate(Subprocess.tapkit).path))
        let run = try await Subprocess.run(
            link.path, hwi.options + ["getxpub", "m/84h/1h/0h"], environment: hwi.workshop.environment,
            directory: hwi.workshop.folder.url
        ).succeeded()
        #expect(try run.json()["xpub"] as? String == (try await hwi("getxpub", "m/84h/1h/0h").text("xpub")))
        let options = try await Subprocess.run(
            Subprocess.tapkit,
            ["--reader", "sim:\(hwi.workshop.cardFile)", "--json", "hwi", "--emulators", "enumerate"],
            environment: hwi.workshop.environment.merging(["TAPKIT_READER": nil]) { $1 }
        ).succeeded()
        #expect(options.text.contains(hwi.workshop.ident))
    }

    @Test func udevRules() async throws {
        let hwi = HWICommandLine(workshop: try await Workshop(isSetUp: false), options: [])
        try FileManager.default.createDirectory(
            atPath: hwi.workshop.folder.path("rules"), withIntermediateDirectories: true)
        #expect(try await hwi("installudevrules", "--location", "rules")["success"] as? Bool == true)
        let ours = try Data(contentsOf: Vectors.root.appendingPathComponent("udev/70-tapkit.rules"))
        #expect(try Data(hwi.workshop.bytes("rules/70-tapkit.rules")) == ours)
        try await hwi.expectError(-7, "installudevrules failed", "installudevrules", "--location", "nowhere")
    }

    @Test func backup() async throws {
        let hwi = try await HWICommandLine.withCard()
        #expect(try await hwi("backup", "--label", "x")["success"] as? Bool == true)
        let key = try #require(hwi.workshop.backupKey)
        try hwi.workshop.folder.write(key, to: "key")
        let checked = try await hwi.workshop.tapkit(
            "backup", "verify", "\(hwi.workshop.ident).aes", "--key-file", "key", "--json"
        ).succeeded().json()
        #expect(checked["valid"] as? Bool == true)
    }

    /// A caller must not take for success what it never got.
    @Test func anAnswerThatNobodyGetsIsAFailure() async throws {
        let hwi = try await HWICommandLine.withCard()
        for ending in [">/dev/full", ">&-", ">&- 2>&-", "<&- >&-"] {
            let run = try await Subprocess.run(
                "/bin/sh", ["-c", "\"$0\" hwi \"$@\" \(ending)", Subprocess.tapkit] + hwi.options + ["enumerate"],
                environment: hwi.workshop.environment, directory: hwi.workshop.folder.url)
            #expect(run.status == 73, "\(ending): \(run.errorText)")
        }
    }

    @Test func nothingSecretIsRepeated() async throws {
        let hwi = try await HWICommandLine.withCard()
        let key = "cVt4o7BGAig1UXywgGSmARhxMdzP5qvQsxKkSsc1XEkw3tDTQFpy"
        for descriptor in ["combo(\(key))", "wpkh(\(key))#aaaaaaaa", "wpkh(\(key)"] {
            let run = try await hwi.run(["displayaddress", "--desc", descriptor])
            #expect(try run.json()["code"] as? Int == -7)
            #expect(!(run.text + run.errorText).contains(key), "\(run.text)")
        }
        let run = try await hwi.run(["getxpub", "m/84h/1h/0h", "--unknown", "-p987654"])
        #expect(run.status == 2 && !(run.text + run.errorText).contains("987654"), "\(run.text)")
    }
}
