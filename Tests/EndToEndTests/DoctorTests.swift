import Foundation
import Glibc
import TestSupport
import Testing

/// `tapkit doctor` on this machine: with a PC/SC service, without one, with one that says nothing, and at a serial port.
@Suite struct DoctorTests {
    private let folder: TemporaryFolder
    /// No service is where this says.
    private let noService: [String: String?]

    init() throws {
        folder = try TemporaryFolder()
        let none: [String: String?] = [
            "PCSCLITE_CSOCK_NAME": folder.path("none"), "LIBNFC_DEVICE": nil, "LIBNFC_DEFAULT_DEVICE": nil,
            "LIBNFC_AUTO_SCAN": "false",
        ]
        noService = Workshop.nothing.merging(none) { $1 }
    }

    private func doctor(_ arguments: String..., environment: [String: String?] = [:]) async throws -> Subprocess {
        try await Subprocess.run(
            Subprocess.tapkit, ["doctor"] + arguments, environment: noService.merging(environment) { $1 },
            directory: folder.url)
    }

    /// Checks the form of an answer, and gives its findings.
    private func findings(_ answer: [String: Any], isUsable: Bool) throws -> [[String: Any]] {
        answer.expectKeys(isUsable ? "findings usable" : "error findings usable")
        #expect(try answer.field("usable", as: Bool.self) == isUsable)
        let findings: [[String: Any]] = try answer.field("findings")
        for finding in findings {
            let keys = "check ok evidence"
            finding.expectKeys(finding["remedy"] == nil ? keys : keys + " remedy")
            #expect(try !finding.text("check").isEmpty && !finding.text("evidence").isEmpty)
            let isFine: Bool = try finding.field("ok")
            #expect(isFine || finding["remedy"] is String)
        }
        return findings
    }

    private func evidence(of check: String, in findings: [[String: Any]]) -> [String] {
        findings.filter { $0["check"] as? String == check }.compactMap { $0["evidence"] as? String }
    }

    @Test func aReaderWithACardCanBeUsed() async throws {
        let workshop = try await Workshop()
        let sandbox = try await PCSCSandbox(card: workshop.cardFile)
        for reader in [[], ["--reader", "pcsc"], ["--reader", "pcsc:virtual"]] {
            let run = try await sandbox.run(
                Subprocess.tapkit, ["doctor", "--json"] + reader, environment: Workshop.nothing)
            let findings = try findings(run.succeeded().json(), isUsable: true)
            let readers = evidence(of: "readers", in: findings)
            #expect(
                readers.count == 2 && readers[0].contains("there is a card on it")
                    && readers[1].contains("there is no card on it"))
            #expect(evidence(of: "pcscd_answers", in: findings) == ["It lists 2 readers"])
        }
        let words = try await sandbox.run(Subprocess.tapkit, ["doctor"], environment: Workshop.nothing).succeeded()
        #expect(words.text.hasSuffix("\nA card can be used now.\n"))

        // Another reader than those there are.
        let other = try await sandbox.run(
            Subprocess.tapkit, ["doctor", "--json", "--reader", "pcsc:OMNIKEY"], environment: Workshop.nothing)
        let problems = try self.findings(other.expectFailure(69, "no_reader"), isUsable: false)
        #expect(evidence(of: "readers", in: problems)[0].contains("“Virtual PCD 00 00”"))

        // Somebody else than root; the program must lie where he may read it.
        let program = try copiedProgram()
        let nobody = try await sandbox.run(
            "setpriv", (geteuid() == 0 ? Self.asNobody : []) + [program, "doctor", "--json"],
            environment: Workshop.nothing)
        _ = try self.findings(nobody.succeeded().json(), isUsable: true)
    }

    private static let asNobody = ["--reuid", "65534", "--regid", "65534", "--clear-groups"]

    private func copiedProgram() throws -> String {
        let path = folder.path("tapkit")
        try FileManager.default.copyItem(atPath: Subprocess.tapkit, toPath: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
        return path
    }

    @Test func withoutServiceNothingCanBeUsed() async throws {
        let document = try await doctor("--json", "--reader", "pcsc").expectFailure(69, "no_pcscd")
        let findings = try findings(document, isUsable: false)
        #expect(findings.contains { $0["ok"] as? Bool == false && $0["check"] as? String == "pcscd_socket" })
        #expect(evidence(of: "pcscd_socket", in: findings)[0].contains(folder.path("none")))

        let words = try await doctor()
        #expect(words.status == 69)
        #expect(words.text.hasPrefix("PROBLEM  ") && words.text.contains("\n         Remedy: "))
        #expect(words.errorText == "tapkit: No card can be used now.\n  Fix the problems listed above.\n")
    }

    /// A service that takes connections and says nothing holds up the doctor for three seconds, not for ever.
    @Test func aServiceThatSaysNothingIsFoundOut() async throws {
        let service = try SilentService()
        let run = try await doctor("--json", "--reader", "pcsc", environment: service.environment)
        let findings = try findings(run.expectFailure(69, "no_pcscd"), isUsable: false)
        #expect(evidence(of: "pcscd_answers", in: findings)[0].contains("did not answer for 3 s"))
    }

    /// The machine's own way to start the service, where no polkit runs: one that asks polkit (Debian 13) lets nobody in, one
    /// that does not (Debian 12) lets everybody in.
    @Test func aServiceThatAsksAPolkitThatIsNotThereIsFoundOut() async throws {
        let script = """
            ip link set lo up; mount -t tmpfs tmpfs /run; mkdir /run/pcscd
            /usr/sbin/pcscd --foreground >pcscd.log 2>&1 & service=$!
            for try in $(seq 3000); do [ -S /run/pcscd/pcscd.comm ] && break; sleep 0.02; done
            "$1" doctor --json --reader pcsc; status=$?
            kill $service; wait $service; exit $status
            """
        let spaces = Subprocess.ownNamespaces + ["--pid", "--fork", "--kill-child", "--mount-proc"]
        let run = try await Subprocess.run(
            "unshare", spaces + ["sh", "-c", script, "sh", Subprocess.tapkit],
            environment: Workshop.nothing, directory: folder.url)
        let findings: [[String: Any]] = try run.json().field("findings")
        let permission = try #require(findings.first { $0["check"] as? String == "pcscd_permission" })
        if PCSCDaemon.asksPolkit {
            try run.expectFailure(69, "no_permission")
            #expect(try permission.text("evidence").contains("refuses everyone: there is no D-Bus"))
            #expect(try permission.text("remedy").contains("--disable-polkit"))
        } else {
            #expect(try permission.text("evidence") == "The service answers root")
        }
    }

    /// The port is there and may be opened; whether a board is behind it only opening would tell, and a board that
    /// another program uses would be disturbed: so nobody opens it.
    @Test func aSerialPortIsLookedAtAndLeftAlone() async throws {
        let (fresh, freshPath) = try Self.terminal()
        defer { close(fresh) }
        for arguments in [["--reader", "nfc:pn532_uart:\(freshPath)"], ["--reader", "nfc"], []] {
            let run = try await doctor(
                arguments: arguments + ["--json"], environment: ["LIBNFC_DEFAULT_DEVICE": "pn532_uart:\(freshPath)"])
            let findings = try findings(run.succeeded().json(), isUsable: true)
            #expect(evidence(of: "serial_access", in: findings)[0] == "You have permission to open \(freshPath)")
            #expect(evidence(of: "nfc_device", in: findings)[0].contains(freshPath))
        }
        var byte: UInt8 = 0
        // EIO would be: somebody opened the other end and closed it.
        #expect(read(fresh, &byte, 1) == -1 && errno == EAGAIN)
    }

    /// A simulated chip is a reader, although the program that serves it has its port open; who else has is in the way.
    @Test(arguments: [false, true]) func aServedChipCanBeUsed(byItsLink isLink: Bool) async throws {
        try await ServedCard.lay(try await Workshop(), on: .nfc) { card in
            let link = String(card.spec.dropFirst("nfc:pn532_uart:".count))
            let terminal = try FileManager.default.destinationOfSymbolicLink(atPath: link)
            let reader = "nfc:pn532_uart:" + (isLink ? link : terminal)
            _ = try findings(try await doctor("--json", "--reader", reader).succeeded().json(), isUsable: true)

            // Not this process: it has more rights than the doctor, who would not be let see what it has open.
            let other = try InteractiveProcess(
                "sh", ["-c", #"exec 3<>"$1"; echo open; exec sleep 600"#, "sh", terminal])
            _ = try await other.line()
            let busy = try await doctor("--json", "--reader", reader)
            let problems = try findings(busy.expectFailure(69, "no_reader"), isUsable: false)
            #expect(evidence(of: "serial_in_use", in: problems)[0].contains("(process \(other.identifier))"))
            _ = try await other.stop()
        }
    }

    private func doctor(arguments: [String], environment: [String: String?]) async throws -> Subprocess {
        try await Subprocess.run(
            Subprocess.tapkit, ["doctor"] + arguments, environment: noService.merging(environment) { $1 },
            directory: folder.url)
    }

    @Test func aPortOfSomebodyElseIsFoundOut() async throws {
        let (board, path) = try Self.terminal()
        defer { close(board) }
        // Not even its owner may open it; nobody may stop root.
        try #require(chmod(path, 0o000) == 0)
        let program = try copiedProgram()
        let run = try await Subprocess.run(
            "setpriv",
            (geteuid() == 0 ? Self.asNobody : []) + [
                program, "doctor", "--json", "--reader", "nfc:pn532_uart:\(path)",
            ],
            environment: noService)
        let findings = try findings(run.expectFailure(69, "no_reader"), isUsable: false)
        #expect(
            evidence(of: "serial_access", in: findings)[0].hasPrefix(
                "You do not have permission to open \(path): mode 0000"))
    }

    /// A terminal whose other end nobody has opened yet: its master, and the other end's path.
    private static func terminal() throws -> (master: Int32, path: String) {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        var (unlocked, number): (Int32, Int32) = (0, -1)
        // TIOCSPTLCK and TIOCGPTN, which Swift does not import.
        try #require(ioctl(master, UInt(0x4004_5431), &unlocked) == 0 && ioctl(master, UInt(0x8004_5430), &number) == 0)
        return (master, "/dev/pts/\(number)")
    }

    @Test func nothingIsWritten() async throws {
        let home = try TemporaryFolder()
        let variables: [String: String?] = [
            "HOME": home.url.path, "XDG_DATA_HOME": nil, "XDG_CONFIG_HOME": nil, "TMPDIR": home.url.path,
        ]
        _ = try await doctor("--json", environment: variables)
        _ = try await doctor("--json", "--reader", "nfc", environment: variables)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.url.path).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func aSimulatedCardNeedsNoReader() async throws {
        let workshop = try await Workshop()
        _ = try findings(try await workshop.tapkit("doctor", "--json").succeeded().json(), isUsable: true)
        let missing = try await workshop.tapkit("doctor", "--json", "--reader", "sim:none.json")
        _ = try findings(try missing.expectFailure(69, "no_reader"), isUsable: false)
    }
}
