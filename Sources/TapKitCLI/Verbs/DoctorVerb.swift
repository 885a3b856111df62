import ArgumentParser
import CardReaders
import ReaderDoctor
import TapSimulator

/// `tapkit doctor`: what stands between a person and a card on the reader.
struct DoctorVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "What stands between you and a card on the reader, and what to do about it.",
        discussion: """
            Looks, and changes nothing; needs no root. Without --reader it looks at everything, else at what concerns \
            that reader. Ends with status 0 when a card could be used now, with 69 when not.
            """)

    @OptionGroup var options: GlobalOptions

    private struct Answer: Encodable {
        let findings: [DoctorFindingDocument]
        let usable: Bool
    }

    func run() async throws {
        let diagnosis = try await examine()
        if !options.isJSON { for line in DiagnosisText.lines(diagnosis) { options.console.say(line) } }
        guard diagnosis.isUsable else { throw failure(diagnosis) }
        if options.isJSON {
            JSONAnswer.write(
                Answer(findings: diagnosis.findings.map(DoctorFindingDocument.init), usable: diagnosis.isUsable))
        }
    }

    private func examine() async throws(Failure) -> Diagnosis {
        var wanted: WantedReader
        switch try options.namedReaderSpec()?.backend {
        case let simulated as SimulatedBackend:
            let file = simulated.path ?? ""
            let machine = Machine.real(service: .notAsked)
            return Diagnosis(
                simulatedCard: file, access: machine.access(file), remedy: "name a file that tapkit sim new made")
        case let nfc as NFCBackend: wanted = .nfc(connstring: nfc.connection?.description)
        case let pcsc as PCSCBackend: wanted = .pcsc(nameContains: pcsc.nameFilter)
        // Of other readers it knows nothing.
        default: wanted = .any
        }
        wanted.option = "--reader"
        // The service starts when it is asked, and then takes the readers that libnfc is to have.
        let service = wanted.allowsPCSC ? await SmartCardService.ask() : .notAsked
        return Diagnosis(of: .real(service: service), for: wanted)
    }

    private func failure(_ diagnosis: Diagnosis) -> Failure {
        // People have read the findings by now.
        let reasons = options.isJSON ? diagnosis.problems.map { "\($0.check): \($0.evidence)" } : []
        let hint = options.isJSON ? diagnosis.problems.first?.remedy ?? "" : "Fix the problems listed above."
        var failure = Failure(diagnosis.code, lines: ["No card can be used now."] + reasons, hint: hint)
        failure.diagnosis = diagnosis
        return failure
    }
}
