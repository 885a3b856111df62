import ArgumentParser
import CardReaders
import ReaderDoctor
import TapSimulator

/// `tapkit doctor`: why a card or reader does not work.
struct DoctorVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Find out why a card or reader does not work, and what to do about it.",
        discussion: """
            Changes nothing, and does not need root. Without --reader it checks everything, otherwise only what \
            concerns that reader. The exit status is 0 if a card can be used now, otherwise 69.
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
                simulatedCard: file, access: machine.access(file), damage: Self.damage(of: file),
                remedy: "name a file created by tapkit sim new")
        case let nfc as NFCBackend: wanted = .nfc(connstring: nfc.connection?.description)
        case let pcsc as PCSCBackend: wanted = .pcsc(nameContains: pcsc.nameFilter)
        // It has no checks for other readers.
        default: wanted = .any
        }
        wanted.option = "--reader"
        // Asking the service starts it, and then it takes the readers that libnfc needs.
        let service = wanted.allowsPCSC ? await SmartCardService.ask() : .notAsked
        return Diagnosis(of: .real(service: service), for: wanted)
    }

    /// Why a file contains no simulated card; `nil` if it does, or cannot be read.
    private static func damage(of file: String) -> String? {
        do throws(SimulatedCardError) { _ = try SimulatedCardRecord(path: file) } catch {
            return error.kind == .damaged ? error.message : nil
        }
        return nil
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
