import ExplainedErrors
import SmartCard

/// What do backends answer that no other check is about? So a new backend needs no check of its own to be examined.
enum BackendAnswerCheck: DoctorCheck {
    static let name = "backend_answers"
    static let kinds: Set<ReaderKind> = []

    static func concerns(_ wanted: WantedReader) -> Bool { !wanted.otherKinds.isEmpty }

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        answers(machine, wanted).flatMap { kind, answer -> [DoctorFinding] in
            switch answer {
            case .readers(let names): return names.map { fine("\(kind.rawValue): “\($0)” answers") }
            case .none(_, let message, let remedy):
                let evidence = "\(kind.rawValue): \(message)"
                // Not a problem if a reader of another kind will do.
                guard !wanted.isOpen else { return [note(evidence, remedy: remedy.isEmpty ? nil : remedy)] }
                return [problem(evidence, remedy: remedy.isEmpty ? "Connect such a reader, then try again" : remedy)]
            }
        }
    }

    static func usableKinds(on machine: Machine, for wanted: WantedReader) -> [ReaderKind] {
        answers(machine, wanted).compactMap { kind, answer in
            if case .readers = answer { kind } else { nil }
        }
    }

    /// The first failed answer's error; `nil`: there is none.
    static func code(_ machine: Machine, _ wanted: WantedReader) -> ErrorCode? {
        for case (_, .none(let code, _, _)) in answers(machine, wanted) { return code }
        return nil
    }

    /// The answers about the requested kinds, in the order of their names.
    private static func answers(_ machine: Machine, _ wanted: WantedReader) -> [(ReaderKind, BackendAnswer)] {
        wanted.otherKinds.sorted { $0.rawValue < $1.rawValue }.map { kind in
            (kind, machine.backends[kind] ?? .none(.noReader, message: "No backend was asked.", remedy: ""))
        }
    }
}
