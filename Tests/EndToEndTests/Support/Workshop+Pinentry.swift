import Foundation
import TestSupport

extension Workshop {
    /// The scripted pinentry's variables.
    /// - Parameter answers: what it answers, one after the other; see `Tests/Interop/scripted_pinentry.py`.
    func pinentry(_ answers: [String]) -> [String: String?] {
        [
            "TAPKIT_CVC_FILE": nil,
            "TAPKIT_PINENTRY": Vectors.root.appendingPathComponent("Tests/Interop/scripted_pinentry.py").path,
            "PINENTRY_USER_DATA": ([folder.path("pinentry.log")] + answers).joined(separator: ","),
        ]
    }

    /// What the scripted pinentry was told.
    var pinentryLog: [String] {
        let text = (try? String(contentsOfFile: folder.path("pinentry.log"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Runs `tapkit` in the folder without a terminal, with the scripted pinentry.
    /// - Parameters:
    ///   - recording: variables for `tapkit` alone, and not for what starts it.
    ///   - changes: of the environment.
    func asked(
        _ arguments: [String], answers: [String], recording: [String: String?] = [:],
        environment changes: [String: String?] = [:]
    ) async throws -> Subprocess {
        try? FileManager.default.removeItem(atPath: folder.path("pinentry.log"))
        let own = recording.compactMap { name, value in value.map { "\(name)=\($0)" } }
        let run = try await Subprocess.run(
            "/usr/bin/env", own + [Subprocess.tapkit] + arguments,
            environment: environment.merging(changes) { $1 }.merging(pinentry(answers)) { $1 },
            directory: folder.url)
        return try await Judges.judged(run)
    }
}
