extension Machine {
    /// Whether systemd runs this machine.
    var hasSystemd: Bool { exists("/run/systemd/system") }

    /// The link by which an administrator made a unit unusable; `nil`: it is not masked.
    func maskLink(_ unit: String) -> String? {
        ["/etc/systemd/system/\(unit)", "/run/systemd/system/\(unit)"].first { linkTarget($0) == "/dev/null" }
    }

    /// Whether some target wants the unit, so that it starts with the machine.
    func isWanted(_ unit: String) -> Bool {
        ["/etc/systemd/system", "/run/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"].contains {
            folder in
            names(folder).contains { name in
                name.hasSuffix(".wants") && linkTarget("\(folder)/\(name)/\(unit)") != nil
            }
        }
    }

    /// Whether the user is logged in at the machine itself and looks at it now.
    var isAtSeat: Bool {
        names("/run/systemd/sessions").contains { name in
            let lines = lines("/run/systemd/sessions/\(name)")
            return lines.contains("UID=\(user.identifier)") && lines.contains("ACTIVE=1")
                && !lines.contains("REMOTE=1") && lines.contains { $0.hasPrefix("SEAT=") && $0 != "SEAT=" }
        }
    }

    /// Why the system may think that the user is not at the machine; empty when nothing speaks for that.
    var seatDoubts: [String] {
        var doubts: [String] = []
        if environment["SSH_CONNECTION"]?.isEmpty == false {
            doubts.append("you are logged in over ssh (SSH_CONNECTION)")
        }
        if !isAtSeat { doubts.append("no active session of yours at a seat in /run/systemd/sessions") }
        return doubts
    }

    /// Where the PC/SC service listens.
    var serviceSocket: String {
        if let path = environment["PCSCLITE_CSOCK_NAME"], !path.isEmpty { return path }
        return "/run/pcscd/pcscd.comm"
    }

    /// Whether the program of the PC/SC service is there.
    var hasService: Bool { exists("/usr/sbin/pcscd") }

    /// The user that systemd runs the PC/SC service as, where that is not root (pcsc-lite 2 and later).
    var serviceUser: String? {
        guard let file = unitFile("pcscd.service") else { return nil }
        let user = lines(file).first { $0.hasPrefix("User=") }?.dropFirst("User=".count)
        return user.flatMap { $0.isEmpty || $0 == "root" ? nil : String($0) }
    }

    /// The file that systemd reads a unit from; `nil`: there is none.
    func unitFile(_ unit: String) -> String? {
        ["/etc", "/run", "/usr/lib", "/lib"].map { "\($0)/systemd/system/\(unit)" }.first { exists($0) }
    }

    /// Whether libccid's udev rules are there, which give its readers to a service that is not root.
    var hasCardDriverRules: Bool {
        ["/etc", "/run", "/usr/lib", "/lib"].contains { folder in
            names("\(folder)/udev/rules.d").contains { $0.hasPrefix("92") && $0.contains("ccid") }
        }
    }
}
