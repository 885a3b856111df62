import Glibc
import SmartCard
import Testing

@testable import ReaderDoctor

/// The PC/SC service: there, started, answering, and willing.
@Suite struct ServiceTests {
    @Test func aMissingServiceIsFoundOut() throws {
        let made = try MadeUpMachine()
        #expect(made.findings(of: ServiceInstalledCheck.self).isFine)
        made.remove("/usr/sbin/pcscd")
        #expect(made.findings(of: ServiceInstalledCheck.self).isEmpty)
        made.service = .noService
        #expect(
            made.findings(of: ServiceInstalledCheck.self).isProblem("/usr/sbin/pcscd", remedy: "apt-get install pcscd"))
        #expect(made.findings(of: ServiceSocketCheck.self).isEmpty)
    }

    @Test func aDisabledSocketIsFoundOut() throws {
        let made = try MadeUpMachine()
        #expect(made.findings(of: ServiceSocketCheck.self).isFine)
        made.service = .noService
        made.remove("/run/pcscd/pcscd.comm")
        #expect(made.findings(of: ServiceSocketCheck.self).isProblem("stopped", remedy: "systemctl start pcscd.socket"))
        made.remove("/etc/systemd/system/sockets.target.wants")
        #expect(
            made.findings(of: ServiceSocketCheck.self)
                .isProblem("not enabled", "pcscd.comm is missing", remedy: "enable --now pcscd.socket"))
        made.service = .readers([])
        #expect(made.findings(of: ServiceSocketCheck.self).isNote("not enabled", remedy: "enable --now pcscd.socket"))
        made.link("/etc/systemd/system/multi-user.target.wants/pcscd.service", "/lib/systemd/system/pcscd.service")
        #expect(made.findings(of: ServiceSocketCheck.self).isFine)
    }

    @Test(arguments: ["/etc", "/run"])
    func aMaskedSocketIsFoundOut(_ folder: String) throws {
        let made = try MadeUpMachine()
        made.service = .noService
        made.link("\(folder)/systemd/system/pcscd.socket", "/dev/null")
        #expect(made.findings(of: ServiceSocketCheck.self).isProblem("masked", folder, remedy: "unmask pcscd.socket"))
        made.service = .readers([])
        #expect(made.findings(of: ServiceSocketCheck.self).isNote("masked"))
    }

    @Test func withoutSystemd() throws {
        let made = try MadeUpMachine()
        made.remove("/run/systemd")
        #expect(made.findings(of: ServiceSocketCheck.self).isFine)
        made.service = .noService
        made.remove("/run/pcscd")
        #expect(
            made.findings(of: ServiceSocketCheck.self).isProblem(
                "/run/pcscd/pcscd.comm", remedy: "/etc/init.d/pcscd start"))
    }

    @Test func aSocketOfAnotherName() throws {
        let made = try MadeUpMachine()
        made.service = .noService
        made.environment["PCSCLITE_CSOCK_NAME"] = "/tmp/other"
        #expect(
            made.findings(of: ServiceSocketCheck.self).isProblem("PCSCLITE_CSOCK_NAME", "/tmp/other", remedy: "Unset"))
        made.pipe("/tmp/other", 0o666)
        #expect(made.findings(of: ServiceSocketCheck.self).isFine)
    }

    @Test func aServiceThatDoesNotAnswerIsFoundOut() throws {
        let made = try MadeUpMachine()
        #expect(made.findings(of: ServiceAnswerCheck.self).isFine)
        made.service = .noService
        #expect(
            made.findings(of: ServiceAnswerCheck.self).isProblem(
                "nothing answers", "pcscd is not running", remedy: "systemctl restart"))
        made.run("pcscd", process: 77)
        #expect(made.findings(of: ServiceAnswerCheck.self).isProblem("pcscd is running"))
        made.service = .silent(seconds: 3)
        #expect(made.findings(of: ServiceAnswerCheck.self).isProblem("3 s", remedy: "restart pcscd"))
        made.service = .failed(ReaderError(.readerBusy, "too many clients", remedy: "end other programs"))
        #expect(made.findings(of: ServiceAnswerCheck.self).isProblem("too many clients", remedy: "end other programs"))
        // No socket is a finding of its own, and so is polkit's no.
        made.service = .noService
        made.remove("/run/pcscd")
        #expect(made.findings(of: ServiceAnswerCheck.self).isEmpty)
        made.service = .refused
        #expect(made.findings(of: ServiceAnswerCheck.self).isEmpty)
    }

    @Test func polkitsRefusalIsExplained() throws {
        let made = try MadeUpMachine()
        #expect(made.findings(of: ServicePermissionCheck.self).isFine)
        made.service = .refused
        let remedy = #"action.id == "org.debian.pcsc-lite.access_card") && subject.user == "satoshi""#
        #expect(
            made.findings(of: ServicePermissionCheck.self).isProblem("policy", "no active session", remedy: remedy))
        made.environment["SSH_CONNECTION"] = "192.0.2.1 1 192.0.2.2 22"
        #expect(made.findings(of: ServicePermissionCheck.self).isProblem("over ssh", "no active session"))
    }

    /// Debian 13's service lets nobody in where polkit does not answer: a rule for polkit would not help.
    @Test func aSilentPolkitIsExplained() throws {
        func expect(
            _ made: MadeUpMachine, _ evidence: String, remedy: String, at location: SourceLocation = #_sourceLocation
        ) {
            let findings = made.findings(of: ServicePermissionCheck.self)
            #expect(
                findings.isProblem("asks polkit", "refuses everyone: \(evidence)", remedy: remedy), "\(findings)",
                sourceLocation: location)
        }
        let made = try MadeUpMachine()
        made.service = .refused
        // Somebody who does not see the service does not see polkit either.
        #expect(made.findings(of: ServicePermissionCheck.self).isProblem("polkit refuses satoshi"))
        made.run("pcscd", process: 77)
        expect(made, "it is not installed", remedy: "apt-get install polkitd && sudo systemctl restart pcscd.socket")
        made.write("/usr/lib/polkit-1/polkitd", "")
        expect(
            made, "there is no D-Bus",
            remedy: #"start dbus && sudo systemctl restart pcscd.socket pcscd.service; or, if every"#)
        expect(made, "there is no D-Bus", remedy: #"PCSCD_ARGS="--disable-polkit" in /etc/default/pcscd"#)
        made.pipe("/run/dbus/system_bus_socket", 0o666)
        expect(
            made, "polkitd is not running", remedy: "systemctl start polkit; if it stops again: systemctl status polkit"
        )
        made.link("/etc/systemd/system/polkit.service", "/dev/null")
        expect(
            made, "polkit.service is masked: /etc/systemd",
            remedy: "unmask polkit.service && sudo systemctl restart pcscd.socket pcscd.service")
        made.run("polkitd", process: 78)
        #expect(made.findings(of: ServicePermissionCheck.self).isProblem("polkit refuses satoshi"))
        // The service answers: all is well, whoever runs.
        made.remove("/proc/78")
        made.service = .readers([])
        #expect(made.findings(of: ServicePermissionCheck.self).isFine)
    }

    @Test func aSilentPolkitWithoutSystemd() throws {
        let made = try MadeUpMachine()
        made.service = .refused
        made.remove("/run/systemd")
        made.run("pcscd", process: 77)
        made.write("/usr/lib/polkit-1/polkitd", "")
        #expect(
            made.findings(of: ServicePermissionCheck.self).isProblem(
                "no D-Bus", remedy: "sudo service dbus start && sudo /etc/init.d/pcscd restart;"))
        made.pipe("/run/dbus/system_bus_socket", 0o666)
        #expect(made.findings(of: ServicePermissionCheck.self)[0].remedy == "sudo service polkit start")
    }

    /// Debian 13's unit requires polkit's: where that is masked, the service does not start, whoever restarts it.
    @Test func aMaskedPolkitKeepsTheServiceFromStarting() throws {
        let made = try MadeUpMachine()
        made.service = .noService
        made.link("/run/systemd/system/polkit.service", "/dev/null")
        made.write("/usr/lib/systemd/system/pcscd.service", "[Unit]\nRequires=pcscd.socket\n")
        #expect(made.findings(of: ServicePermissionCheck.self).isEmpty)
        made.write("/usr/lib/systemd/system/pcscd.service", "[Unit]\nRequires=pcscd.socket\nRequires=polkit.service\n")
        #expect(
            made.findings(of: ServicePermissionCheck.self)
                .isProblem("does not start pcscd without polkit", "/run/systemd", remedy: "unmask polkit.service"))
        // Who says to restart it sends people in circles.
        made.pipe("/run/pcscd/pcscd.comm", 0o666)
        #expect(made.findings(of: ServiceAnswerCheck.self).isEmpty)
        made.remove("/run/systemd/system/polkit.service")
        #expect(
            made.findings(of: ServicePermissionCheck.self)
                .isProblem("does not start pcscd without polkit", "not installed", remedy: "apt-get install polkitd &&")
        )
        made.write("/usr/lib/systemd/system/polkit.service", "[Unit]\n")
        #expect(made.findings(of: ServicePermissionCheck.self).isEmpty)
        #expect(made.findings(of: ServiceAnswerCheck.self).isProblem("nothing answers", remedy: "restart pcscd.socket"))
    }

    @Test(arguments: [
        ("UID=4000000\nACTIVE=1\nSEAT=seat0\nREMOTE=0\n", true),
        ("UID=4000000\nACTIVE=0\nSEAT=seat0\nREMOTE=0\n", false),
        ("UID=4000000\nACTIVE=1\nREMOTE=1\n", false), ("UID=1\nACTIVE=1\nSEAT=seat0\nREMOTE=0\n", false),
        ("UID=4000000\nACTIVE=1\nSEAT=\nREMOTE=0\n", false), ("UID=40000001\nACTIVE=1\nSEAT=seat0\n", false),
    ])
    func whoSitsAtTheMachine(_ session: String, _ isThere: Bool) throws {
        let made = try MadeUpMachine()
        made.service = .refused
        made.write("/run/systemd/sessions/2", session)
        made.pipe("/run/systemd/sessions/2.ref", 0o600)
        #expect(made.machine.isAtSeat == isThere)
        #expect(made.findings(of: ServicePermissionCheck.self)[0].evidence.contains("no active session") == !isThere)
    }

    @Test func aSocketThatMayNotBeOpenedIsFoundOut() throws {
        let made = try MadeUpMachine()
        made.service = .noService
        #expect(made.findings(of: ServicePermissionCheck.self).isEmpty)
        chmod(made.location("/run/pcscd/pcscd.comm"), 0o600)
        #expect(made.findings(of: ServicePermissionCheck.self).isProblem("mode 0600", remedy: "pcscd.socket"))
    }
}
