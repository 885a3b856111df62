import TestSupport

extension PCSCSandbox {
    /// Runs the built `tapkit` in the workshop's folder, with its card's root and CVC, on the sandbox's reader; answers
    /// come as JSON, and nobody is asked.
    func tapkit(
        _ arguments: [String], in workshop: Workshop, environment: [String: String?] = [:]
    ) async throws -> Subprocess {
        let variables = workshop.environment.merging(["TAPKIT_READER": "pcsc"]) { $1 }.merging(environment) { $1 }
        // On a busy machine pcscd takes a slow card for none now and then, as it would with a card held badly.
        let run = try await run(
            Subprocess.tapkit, arguments + ["--json", "--yes", "--wait=60"], environment: variables,
            directory: workshop.folder.url)
        return try await Judges.judged(run)
    }
}
