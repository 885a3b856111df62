/// What keeps polkit from answering the PC/SC service: from pcsc-lite 2 on, the service asks it about everybody, and turns
/// away whom it gets no answer about.
enum PolkitGap: Sendable, Equatable {
    /// It is not on this machine.
    case notInstalled
    /// An administrator made it unusable by this link.
    case masked(link: String)
    /// There is no D-Bus, over which it is asked.
    case noBus
    /// It is there and does not run.
    case stopped
}

extension Machine {
    static let polkitUnit = "polkit.service"
    static let busSocket = "/run/dbus/system_bus_socket"

    /// Why polkit cannot answer; `nil`: it runs, or nothing can be told, since this user does not see the programs that the
    /// PC/SC service sees (a container; hidden processes).
    var polkitGap: PolkitGap? {
        guard isRunning("pcscd"), !isRunning("polkitd") else { return nil }
        if !exists("/usr/lib/polkit-1/polkitd") { return .notInstalled }
        if let link = maskLink(Self.polkitUnit) { return .masked(link: link) }
        return exists(Self.busSocket) ? .stopped : .noBus
    }

    /// The link that makes polkit unusable where systemd starts the PC/SC service with polkit only (Debian 13).
    var polkitMaskOfService: String? {
        guard let file = unitFile("pcscd.service"), lines(file).contains("Requires=\(Self.polkitUnit)") else {
            return nil
        }
        return maskLink(Self.polkitUnit)
    }
}

extension PolkitGap {
    /// What is the matter.
    var evidence: String {
        switch self {
        case .notInstalled: "it is not installed"
        case .masked(let link): "\(Machine.polkitUnit) is masked: \(link) leads to /dev/null"
        case .noBus: "there is no D-Bus to ask it over (\(Machine.busSocket))"
        case .stopped: "no polkitd runs"
        }
    }

    /// What to do about it.
    /// - Parameter hasSystemd: whether systemd runs the machine.
    func remedy(hasSystemd: Bool) -> String {
        let start = { (unit: String) in hasSystemd ? "sudo systemctl start \(unit)" : "sudo service \(unit) start" }
        return switch self {
        case .notInstalled: "sudo apt-get install polkitd"
        case .masked: "sudo systemctl unmask \(Machine.polkitUnit) && \(start("polkit"))"
        case .noBus:
            "sudo apt-get install dbus && \(start("dbus")); where every user may use the readers, as in a container, "
                + #"PCSCD_ARGS="--disable-polkit" in /etc/default/pcscd does instead, and a restart of pcscd"#
        case .stopped: start("polkit") + (hasSystemd ? "; if it ends again: systemctl status polkit" : "")
        }
    }
}
