import AnswerDocuments
import ArgumentParser
import ReaderDoctor
import Settings

/// `tapkit doctor`: why a card or reader does not work.
struct DoctorVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Find out why a card or reader does not work, and what to do about it.",
        discussion: """
            Changes nothing, and does not need root. Without --reader it checks everything, otherwise only what \
            concerns that reader. The exit status is 0 if a card can be used now, otherwise 69.
            """)

    @OptionGroup var options: GlobalOptions

    /// What is answered to programs.
    struct Answer: Encodable {
        let findings: [DoctorFindingDocument]
        let usable: Bool

        init(_ diagnosis: Diagnosis) {
            findings = diagnosis.findings.map(DoctorFindingDocument.init)
            usable = diagnosis.isUsable
        }
    }

    func run() async throws {
        let diagnosis = try await Self.examine(options)
        if !options.isJSON { for line in DiagnosisText.lines(diagnosis) { options.console.say(line) } }
        guard diagnosis.isUsable else { throw failure(diagnosis) }
        if options.isJSON { JSONAnswer.write(Answer(diagnosis)) }
    }

    /// Examines the machine, or what concerns the requested reader.
    static func examine(_ options: GlobalOptions) async throws(Failure) -> Diagnosis {
        let spec = try options.namedReaderSpec()
        let backends = spec.map { [$0.kind: $0.backend] } ?? ReaderSpec.survey
        var wanted = spec.map { WantedReader($0.kind, name: $0.name) } ?? .any(of: backends.keys)
        wanted.option = "--reader"
        return Diagnosis(of: await .real(for: wanted, asking: backends), for: wanted)
    }

    private func failure(_ diagnosis: Diagnosis) -> Failure {
        // The user has seen the findings by now.
        let reasons = options.isJSON ? diagnosis.problems.map { "\($0.check): \($0.evidence)" } : []
        let hint = options.isJSON ? diagnosis.problems.first?.remedy ?? "" : "Fix the problems listed above."
        var failure = Failure(diagnosis.code, lines: ["No card can be used now."] + reasons, hint: hint)
        failure.diagnosis = diagnosis
        return failure
    }
}
