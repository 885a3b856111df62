import CardReaders

/// What keeps polkit from answering the PC/SC service. From pcsc-lite 2 on, the service asks polkit about every user, and
/// refuses users about whom it gets no answer.
enum PolkitGap: Sendable, Equatable {
    /// It is not installed.
    case notInstalled
    /// An administrator masked it with this link.
    case masked(link: String)
    /// There is no D-Bus to ask it over.
    case noBus
    /// It is installed but not running.
    case stopped
}

extension Machine {
    static let polkitUnit = "polkit.service"
    static let busSocket = "/run/dbus/system_bus_socket"

    /// Why polkit cannot answer; `nil` if it is running, or if that is unknown because this user does not see the programs
    /// that the PC/SC service sees (a container; hidden processes).
    var polkitGap: PolkitGap? {
        guard isRunning("pcscd"), !isRunning("polkitd") else { return nil }
        if !exists("/usr/lib/polkit-1/polkitd") { return .notInstalled }
        if let link = maskLink(Self.polkitUnit) { return .masked(link: link) }
        return exists(Self.busSocket) ? .stopped : .noBus
    }

    /// Why polkit cannot be started if systemd starts the PC/SC service only together with it (Debian 13).
    var polkitGapOfService: PolkitGap? {
        guard hasSystemd, let file = unitFile("pcscd.service"), lines(file).contains("Requires=\(Self.polkitUnit)")
        else {
            return nil
        }
        if let link = maskLink(Self.polkitUnit) { return .masked(link: link) }
        return unitFile(Self.polkitUnit) == nil ? .notInstalled : nil
    }
}

extension PolkitGap {
    /// What is wrong.
    var evidence: String {
        switch self {
        case .notInstalled: "it is not installed"
        case .masked(let link): "\(Machine.polkitUnit) is masked: \(link) points to /dev/null"
        case .noBus: "there is no D-Bus to ask it over (\(Machine.busSocket))"
        case .stopped: "polkitd is not running"
        }
    }

    /// What to do about it.
    func remedy(on machine: Machine) -> String {
        let hasSystemd = machine.hasSystemd
        let start = { (unit: String) in hasSystemd ? "sudo systemctl start \(unit)" : "sudo service \(unit) start" }
        // Without its connection to D-Bus, the service does not find polkit again; and where systemd starts it only with polkit,
        // it starts polkit, too.
        let restart = " && " + machine.serviceRestart
        return switch self {
        case .notInstalled: "sudo apt-get install polkitd" + restart
        case .masked: "sudo systemctl unmask \(Machine.polkitUnit)" + restart
        case .noBus:
            "sudo apt-get install dbus && \(start("dbus"))\(restart); or, if every user may use the readers, as in a container, set "
                + #"PCSCD_ARGS="--disable-polkit" in /etc/default/pcscd and restart pcscd"#
        case .stopped: start("polkit") + (hasSystemd ? "; if it stops again: systemctl status polkit" : "")
        }
    }
}
