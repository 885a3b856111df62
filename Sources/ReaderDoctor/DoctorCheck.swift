/// One thing that can stand between a person and a card.
protocol DoctorCheck: Sendable {
    /// Its name in findings, lower snake case.
    static var name: String { get }
    /// The kinds of reader that it concerns; it is skipped if none of them was requested.
    static var backends: Set<WantedReader.Backend> { get }
    /// What it finds on this machine; nothing if it does not apply.
    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding]
}

extension DoctorCheck {
    static func fine(_ evidence: String) -> DoctorFinding { DoctorFinding(name, .fine, evidence) }

    static func note(_ evidence: String, remedy: String? = nil) -> DoctorFinding {
        DoctorFinding(name, .note, evidence, remedy: remedy)
    }

    static func problem(_ evidence: String, remedy: String) -> DoctorFinding {
        DoctorFinding(name, .problem, evidence, remedy: remedy)
    }
}

/// Every check, from cause to effect: what is plugged in, what has claimed it, who may use it, the PC/SC service, its
/// drivers, libnfc, and the result.
enum DoctorChecks {
    static let all: [any DoctorCheck.Type] = [
        PluggedInCheck.self, KeyboardCheck.self, KernelModuleCheck.self, ModuleBlacklistCheck.self,
        ReaderRulesCheck.self, DeviceAccessCheck.self,
        ServiceInstalledCheck.self, ServiceSocketCheck.self, ServiceAnswerCheck.self, ServicePermissionCheck.self,
        CardDriverCheck.self, FirmwareCheck.self, ReaderListedCheck.self,
        SerialDriverCheck.self, SerialAccessCheck.self, SerialUseCheck.self,
        NFCConfigurationCheck.self, NFCConflictCheck.self,
        ReadersCheck.self, NFCDeviceCheck.self,
    ]
}
