import CardReaders

extension Machine {
    /// Whether this machine runs systemd.
    var hasSystemd: Bool { exists("/run/systemd/system") }

    /// The link with which an administrator masked a unit; `nil` if it is not masked.
    func maskLink(_ unit: String) -> String? {
        ["/etc/systemd/system/\(unit)", "/run/systemd/system/\(unit)"].first { linkTarget($0) == "/dev/null" }
    }

    /// The command that starts the PC/SC service again.
    var serviceRestart: String {
        hasSystemd ? "sudo systemctl restart pcscd.socket pcscd.service" : "sudo /etc/init.d/pcscd restart"
    }

    /// Whether some target wants the unit, so that it starts at boot.
    func isWanted(_ unit: String) -> Bool {
        ["/etc/systemd/system", "/run/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"].contains {
            folder in
            names(folder).contains { name in
                name.hasSuffix(".wants") && linkTarget("\(folder)/\(name)/\(unit)") != nil
            }
        }
    }

    /// Whether the user is logged in at the machine itself, with an active session.
    var isAtSeat: Bool {
        names("/run/systemd/sessions").contains { name in
            let lines = lines("/run/systemd/sessions/\(name)")
            return lines.contains("UID=\(user.identifier)") && lines.contains("ACTIVE=1")
                && !lines.contains("REMOTE=1") && lines.contains { $0.hasPrefix("SEAT=") && $0 != "SEAT=" }
        }
    }

    /// Why the system may think that the user is not at the machine; empty if nothing suggests that.
    var seatDoubts: [String] {
        var doubts: [String] = []
        if environment["SSH_CONNECTION"]?.isEmpty == false {
            doubts.append("you are logged in over ssh (SSH_CONNECTION)")
        }
        if !isAtSeat { doubts.append("you have no active session at a seat (/run/systemd/sessions)") }
        return doubts
    }

    /// Where the PC/SC service listens.
    var serviceSocket: String {
        if let path = environment["PCSCLITE_CSOCK_NAME"], !path.isEmpty { return path }
        return "/run/pcscd/pcscd.comm"
    }

    /// Whether the PC/SC service is installed.
    var hasService: Bool { exists("/usr/sbin/pcscd") }

    /// The user that systemd runs the PC/SC service as, if that is not root (pcsc-lite 2 and later).
    var serviceUser: String? {
        guard let file = unitFile("pcscd.service") else { return nil }
        let user = lines(file).first { $0.hasPrefix("User=") }?.dropFirst("User=".count)
        return user.flatMap { $0.isEmpty || $0 == "root" ? nil : String($0) }
    }

    /// The file that systemd reads a unit from; `nil` if there is none.
    func unitFile(_ unit: String) -> String? {
        ["/etc", "/run", "/usr/lib", "/lib"].map { "\($0)/systemd/system/\(unit)" }.first { exists($0) }
    }

    /// Whether libccid's udev rules exist; they give its readers to a service that does not run as root.
    var hasCardDriverRules: Bool {
        ["/etc", "/run", "/usr/lib", "/lib"].contains { folder in
            names("\(folder)/udev/rules.d").contains { $0.hasPrefix("92") && $0.contains("ccid") }
        }
    }
}
