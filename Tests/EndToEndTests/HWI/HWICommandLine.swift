import Bitcoin
import Foundation
import TestSupport
import Testing

/// HWI's command line on a workshop's card.
struct HWICommandLine: Sendable {
    let workshop: Workshop
    /// Stands before every command.
    var options: [String] = ["--emulators"]

    /// A card that is set up, and its fingerprint in every call.
    static func withCard(chain: String = "test") async throws -> HWICommandLine {
        let workshop = try await Workshop()
        let fingerprint = try await workshop.wallet().fingerprint
        return HWICommandLine(
            workshop: workshop, options: ["--emulators", "-f", "\(fingerprint)", "--chain", chain])
    }

    /// Calls `tapkit hwi`, with nobody there who could be asked. A PSBT in the answer that has all signatures is valid, and
    /// a real node takes it.
    func run(
        _ arguments: [String], input: String = "", environment: [String: String?] = [:]
    ) async throws -> Subprocess {
        let run = try await Subprocess.run(
            Subprocess.tapkit, ["hwi"] + options + arguments, input: Data(input.utf8),
            environment: workshop.environment.merging(environment) { $1 }, directory: workshop.folder.url)
        guard run.text.contains(#""signed""#), let text = (try? run.json())?["psbt"] as? String else { return run }
        var psbt = try PSBT(fileContent: Array(text.utf8))
        guard (try? psbt.finalizeInputs()) != nil, psbt.isFinalized else { return run }
        try await psbt.expectVerified()
        return run
    }

    /// The answer, an object in one line, with status 0.
    func callAsFunction(
        _ arguments: String..., input: String = "", environment: [String: String?] = [:]
    ) async throws -> [String: Any] {
        let run = try await run(arguments, input: input, environment: environment).succeeded()
        #expect(run.text.hasSuffix("\n") && run.text.dropLast().allSatisfy { $0 != "\n" }, "\(run.text)")
        return try run.json()
    }

    /// The answer, an array.
    func list(_ arguments: String..., environment: [String: String?] = [:]) async throws -> [[String: Any]] {
        let run = try await run(arguments, environment: environment).succeeded()
        return try #require(try JSONSerialization.jsonObject(with: run.output) as? [[String: Any]])
    }

    /// Expects an error with a code.
    func expectError(
        _ code: Int, _ words: String = "", _ arguments: String..., input: String = "",
        environment: [String: String?] = [:], at location: SourceLocation = #_sourceLocation
    ) async throws {
        let run = try await run(arguments, input: input, environment: environment)
        #expect(run.status == (code == -2 ? 2 : 0), "\(run.text)\(run.errorText)", sourceLocation: location)
        let answer = try run.json()
        #expect(answer["code"] as? Int == code, "\(answer)", sourceLocation: location)
        let message = try answer.text("error")
        #expect(words.isEmpty || message.contains(words), "\(message)", sourceLocation: location)
        #expect(answer.count == 2, sourceLocation: location)
    }
}
