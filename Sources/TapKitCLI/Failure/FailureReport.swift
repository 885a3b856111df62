import AnswerDocuments
import Bitcoin
import Terminal

/// Tells the user, or a program, why a verb ended without its answer.
enum FailureReport {
    private struct Document: Encodable {
        struct Body: Encodable {
            let code: String
            let message: String
            let hint: String
            let findings: [FindingDocument]?
        }

        struct Progress: Encodable {
            let done: Int
            let total: Int
        }

        let error: Body
        let valid: Bool?
        let genuine: Bool?
        let proofs: [ProofDocument]?
        let findings: [DoctorFindingDocument]?
        let usable: Bool?
        let progress: Progress?
        let saved: String?
        let psbt: String?
        let ok: Bool?
        let file: String?
        let problems: [String]?
        let paths: [RehearsedPathDocument]?
    }

    /// Writes a failure: with `--json` as a JSON object on standard output, unless an answer was begun there; otherwise
    /// as lines on standard error. Signatures that are in no file go to standard output.
    /// - Returns: the process's exit status.
    static func write(_ failure: Failure, to console: Console) -> Int32 {
        if console.isJSON {
            let isAnswer = !Console.hasAnswered || failure.followsEvents
            if isAnswer { JSONAnswer.write(document(failure)) }
            // No program gets it, so a person must.
            if !isAnswer || Console.hasLostOutput { console.note(screen: screen(failure)) }
        } else {
            console.note(screen: screen(failure))
            if let psbt = failure.psbt {
                PSBTFiles.print(psbt)
                console.note(
                    Console.hasLostOutput
                        ? "  The signed PSBT could not be written to standard output: \(Console.outputProblem)."
                        : "  The signed PSBT is on standard output.")
            }
        }
        return failure.exitStatus.rawValue
    }

    /// Writes a failure whose process is ended by force, without waiting for anyone who reads it: with `--json` as the
    /// answer; otherwise, or if that cannot be written or another one was begun, on standard error.
    static func writeLast(_ failure: Failure, isJSON: Bool) {
        if isJSON, Console.writeLastAnswer(JSONAnswer.text(document(failure)) + "\n") { return }
        Console.noteWithoutWaiting(screen: screen(failure))
    }

    private static func screen(_ failure: Failure) -> [ScreenLine] {
        let lines = ["tapkit: \(failure.lines.first ?? "")"] + failure.lines.dropFirst()
        return lines.map { ScreenLine($0) } + CommandHint.screen(failure.hint)
    }

    private static func document(_ failure: Failure) -> Document {
        Document(
            error: .init(
                code: failure.code.rawValue,
                message: failure.message, hint: failure.hint,
                findings: failure.findings.isEmpty
                    ? nil : failure.findings.map { FindingDocument($0, in: failure.review) }),
            valid: failure.isValid, genuine: failure.proofs.isEmpty ? nil : false,
            proofs: failure.proofs.isEmpty ? nil : failure.proofs.map(ProofDocument.init),
            findings: failure.diagnosis?.findings.map(DoctorFindingDocument.init),
            usable: failure.diagnosis?.isUsable,
            progress: failure.progress.map { .init(done: $0.done, total: $0.total) },
            saved: failure.progress?.savedFile,
            psbt: failure.psbt?.base64Text,
            ok: failure.storeCheck.map { _ in false }, file: failure.storeCheck?.file,
            problems: failure.storeCheck?.problems, paths: failure.rehearsed)
    }
}
