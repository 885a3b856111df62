import CardReaders
import SmartCard

/// Does the PC/SC service's socket exist, and is it started at boot?
enum ServiceSocketCheck: DoctorCheck {
    static let name = "pcscd_socket"
    static let kinds: Set<ReaderKind> = [.pcsc]
    private static let unit = "pcscd.socket"

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        let isAnswering = machine.service.readers != nil
        guard machine.hasService || isAnswering else { return [] }
        let socket = machine.serviceSocket
        if machine.environment["PCSCLITE_CSOCK_NAME"]?.isEmpty == false, !machine.exists(socket), !isAnswering {
            return [
                problem(
                    "PCSCLITE_CSOCK_NAME names the socket \(socket), which does not exist",
                    remedy: "Unset PCSCLITE_CSOCK_NAME, or start the pcscd that listens there")
            ]
        }
        if machine.hasSystemd { return unitFindings(machine, isAnswering: isAnswering, socket: socket) }
        if machine.exists(socket) || isAnswering { return [fine(socket)] }
        return [problem("\(socket) is missing: pcscd is not running", remedy: "sudo /etc/init.d/pcscd start")]
    }

    private static func unitFindings(_ machine: Machine, isAnswering: Bool, socket: String) -> [DoctorFinding] {
        if let link = machine.maskLink(unit) {
            let evidence = "\(unit) is masked: \(link) points to /dev/null"
            let remedy = "sudo systemctl unmask \(unit) && sudo systemctl enable --now \(unit)"
            return [isAnswering ? note(evidence, remedy: remedy) : problem(evidence, remedy: remedy)]
        }
        let isWanted = machine.isWanted(unit) || machine.isWanted("pcscd.service")
        let remedy = "sudo systemctl enable --now \(unit)"
        if isAnswering {
            return isWanted
                ? [fine("\(socket), by \(unit)")]
                : [
                    note(
                        "pcscd is running now, but \(unit) is not enabled: it will not start at the next boot",
                        remedy: remedy)
                ]
        }
        if machine.exists(socket) { return [fine(socket)] }
        if !isWanted { return [problem("\(unit) is not enabled, and \(socket) is missing", remedy: remedy)] }
        return [
            problem(
                "\(socket) is missing although \(unit) is enabled: it was stopped",
                remedy: "sudo systemctl start \(unit)")
        ]
    }
}
