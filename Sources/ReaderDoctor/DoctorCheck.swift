import SmartCard

/// One thing that can stand between a person and a card.
protocol DoctorCheck: Sendable {
    /// Its name in findings, lower snake case.
    static var name: String { get }
    /// The kinds of reader that it is about; it is skipped if none of them was requested.
    static var kinds: Set<ReaderKind> { get }
    /// Whether it has something to say about a request.
    static func concerns(_ wanted: WantedReader) -> Bool
    /// What it finds on this machine; nothing if it does not apply.
    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding]
    /// The requested kinds of which, by what it sees, a reader could be used now.
    static func usableKinds(on machine: Machine, for wanted: WantedReader) -> [ReaderKind]
}

extension DoctorCheck {
    static func concerns(_ wanted: WantedReader) -> Bool { !kinds.isDisjoint(with: wanted.kinds) }

    static func usableKinds(on machine: Machine, for wanted: WantedReader) -> [ReaderKind] { [] }

    static func fine(_ evidence: String) -> DoctorFinding { DoctorFinding(name, .fine, evidence) }

    static func note(_ evidence: String, remedy: String? = nil) -> DoctorFinding {
        DoctorFinding(name, .note, evidence, remedy: remedy)
    }

    static func problem(_ evidence: String, remedy: String) -> DoctorFinding {
        DoctorFinding(name, .problem, evidence, remedy: remedy)
    }
}

/// Every check, from cause to effect: what is plugged in, what has claimed it, who may use it, the PC/SC service, its
/// drivers, libnfc, and the result. A kind of reader that none of them is about is asked by `BackendAnswerCheck`.
enum DoctorChecks {
    static let all: [any DoctorCheck.Type] = [
        PluggedInCheck.self, KeyboardCheck.self, KernelModuleCheck.self, ModuleBlacklistCheck.self,
        ReaderRulesCheck.self, DeviceAccessCheck.self,
        ServiceInstalledCheck.self, ServiceSocketCheck.self, ServiceAnswerCheck.self, ServicePermissionCheck.self,
        CardDriverCheck.self, FirmwareCheck.self, ReaderListedCheck.self,
        SerialDriverCheck.self, SerialAccessCheck.self, SerialUseCheck.self,
        NFCConfigurationCheck.self, NFCConflictCheck.self,
        ReadersCheck.self, NFCDeviceCheck.self, SimulatedCardCheck.self, BackendAnswerCheck.self,
    ]

    /// The kinds of reader that have checks of their own.
    static let kinds = all.reduce(into: Set<ReaderKind>()) { $0.formUnion($1.kinds) }
}
