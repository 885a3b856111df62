import Glibc

/// Tells a person, or a program, why a verb ended without its answer.
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
        let progress: Progress?
        let saved: String?
    }

    /// Writes a failure: a JSON object on standard output with `--json`, else lines on standard error.
    /// - Returns: the status the process ends with.
    static func write(_ failure: Failure, to console: Console) -> Int32 {
        let message = TerminalText.neutralized(failure.message, keepingLines: true)
        if console.isJSON {
            let document = Document(
                error: .init(
                    code: failure.code.rawValue, message: message, hint: failure.hint,
                    findings: failure.findings.isEmpty ? nil : failure.findings.map(FindingDocument.init)),
                progress: failure.progress.map { .init(done: $0.done, total: $0.total) },
                saved: failure.progress?.savedFile)
            JSONAnswer.write(document)
        } else {
            console.note("tapkit: \(message)")
            if !failure.hint.isEmpty { console.note("  \(failure.hint)") }
        }
        return failure.exitStatus.rawValue
    }
}
