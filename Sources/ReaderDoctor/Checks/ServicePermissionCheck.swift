import CardReaders
import SmartCard

/// Does this user have permission to use the PC/SC service?
enum ServicePermissionCheck: DoctorCheck {
    static let name = "pcscd_permission"
    static let kinds: Set<ReaderKind> = [.pcsc]
    /// The actions that the service asks polkit about: using the service, and using a card.
    private static let actions = ["org.debian.pcsc-lite.access_pcsc", "org.debian.pcsc-lite.access_card"]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        switch machine.service {
        case .failed(let error) where error.kind == .permissionDenied:
            return [machine.polkitGap.map { silence($0, machine) } ?? refusal(error, machine)]
        case .failed, .silent: return socketFindings(machine) + unitFindings(machine)
        case .readers: return [fine("The service answers \(machine.user.name)")]
        case .notAsked: return []
        }
    }

    /// Polkit does not answer the service, which then admits nobody: a polkit rule does not help.
    private static func silence(_ gap: PolkitGap, _ machine: Machine) -> DoctorFinding {
        problem(
            "pcscd asks polkit who may use smart cards, gets no answer and refuses everyone: \(gap.evidence)",
            remedy: gap.remedy(on: machine))
    }

    private static func refusal(_ error: ReaderError, _ machine: Machine) -> DoctorFinding {
        let reasons = ([error.message] + machine.seatDoubts).joined(separator: "; ")
        let condition = actions.map { #"action.id == "\#($0)""# }.joined(separator: " || ")
        let rule =
            #"polkit.addRule(function(action, subject) { if ((\#(condition)) && subject.user == "\#(machine.user.name)") "#
            + "return polkit.Result.YES; });"
        return problem(
            "polkit refuses \(machine.user.name): \(reasons)",
            remedy: "Log in at this computer itself, or add this line to /etc/polkit-1/rules.d/50-tapkit.rules: \(rule)"
        )
    }

    /// A service that systemd does not start because polkit cannot be started.
    private static func unitFindings(_ machine: Machine) -> [DoctorFinding] {
        guard !machine.isRunning("pcscd"), let gap = machine.polkitGapOfService else { return [] }
        return [
            problem(
                "systemd does not start pcscd without polkit: \(gap.evidence)",
                remedy: gap.remedy(on: machine))
        ]
    }

    /// A socket that the user is not even allowed to connect to.
    private static func socketFindings(_ machine: Machine) -> [DoctorFinding] {
        let access = machine.access(machine.serviceSocket)
        guard case .refused = access, let complaint = access.complaint else { return [] }
        return [
            problem(
                "You do not have permission to connect to \(machine.serviceSocket): \(complaint)",
                remedy: "sudo systemctl restart pcscd.socket (recreates the socket with mode 0666)")
        ]
    }
}
