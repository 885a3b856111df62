import Foundation
import TestSupport
import Testing

/// One card on a reader of its own, and both programs: `tapkit` and the maker's reference client.
struct ReferenceTable {
    let workshop: Workshop
    let sandbox: PCSCSandbox
    /// The reference client's path.
    let program: String
    private let python: PythonEnvironment

    /// Lays the card on the reader.
    init(_ workshop: Workshop) async throws {
        python = try PythonEnvironment.shared()
        program = python.command("cktap")
        self.workshop = workshop
        sandbox = try await PCSCSandbox(card: workshop.cardFile)
    }

    /// Runs the reference client, which must succeed.
    func cktap(_ arguments: [String]) async throws -> Subprocess {
        try await sandbox.run(program, ["--root-cert-pubkey", workshop.rootKey] + arguments).succeeded()
    }

    /// Runs several of the reference client's commands in one process; see `cktap_session.py`.
    /// - Returns: what came of each; some may have failed.
    func session(_ commands: [[String]]) async throws -> [ReferenceRun] {
        let request: [String: Any] = ["root": workshop.rootKey, "commands": commands]
        let answer = try await sandbox.run(
            python.command("python"), [PythonEnvironment.script("cktap_session.py")],
            input: try JSONSerialization.data(withJSONObject: request), environment: PythonEnvironment.variables,
            timeout: .seconds(120)
        ).succeeded().json()
        let runs: [[String: Any]] = try answer.field("runs")
        return try zip(commands, runs).map { try ReferenceRun(arguments: $0, fields: $1) }
    }

    /// Runs `tapkit`, with another CVC than the printed one if so told.
    func run(_ arguments: [String], cvc: String? = nil) async throws -> Subprocess {
        var changes: [String: String?] = [:]
        if let cvc { changes["TAPKIT_CVC_FILE"] = try workshop.folder.write("\(cvc)\n", to: "cvc-\(cvc)") }
        return try await sandbox.tapkit(arguments, in: workshop, environment: changes)
    }

    /// The answer of `tapkit`, which must succeed.
    func tapkit(_ arguments: [String], cvc: String? = nil) async throws -> [String: Any] {
        try await run(arguments, cvc: cvc).succeeded().json()
    }

    /// Sets a signer up with `tapkit`, keeping its CVC.
    func setUp() async throws {
        _ = try await tapkit(["setup", "--keep-cvc", "--backup", workshop.folder.path("setup.aes")])
    }

    /// Both programs give the same xpub at the card's path and for the master key.
    func expectSameKeys() async throws {
        let ours = try await tapkit(["xpub"])
        #expect(try await cktap(["xpub", Workshop.printedCVC]).lastLine == ours.text("xpub"))
        let master = try await tapkit(["xpub", "--master"])
        #expect(try await cktap(["xpub", "--master", Workshop.printedCVC]).lastLine == master.text("xpub"))
        #expect(try master.text("fingerprint") == ours.text("fingerprint"))
    }
}

/// What came of one of the reference client's commands.
struct ReferenceRun: Sendable {
    let arguments: [String]
    let status: Int
    let output: String
    let error: String

    init(arguments: [String], fields: [String: Any]) throws {
        self.arguments = arguments
        status = try fields.field("status")
        output = try fields.text("output")
        error = try fields.text("error")
    }

    /// The output's lines, without empty ones and the warning about the root.
    var lines: [String] {
        output.split(separator: "\n").map(String.init).filter { !$0.isEmpty && !$0.hasPrefix("WARNING: Using bogus") }
    }

    /// The last line of output.
    var lastLine: String { lines.last ?? "" }

    /// This run, which must have succeeded.
    @discardableResult
    func succeeded(at location: SourceLocation = #_sourceLocation) throws -> ReferenceRun {
        try #require(status == 0, "\(arguments): \(output)\(error)", sourceLocation: location)
        return self
    }

    /// Expects that the command failed with words that contain a text.
    func failed(saying text: String, at location: SourceLocation = #_sourceLocation) {
        #expect(status != 0 && error.contains(text), "\(arguments): \(output)\(error)", sourceLocation: location)
    }
}

extension Subprocess {
    /// The last line of standard output; the reference client prints a warning about the root before its answer.
    var lastLine: String { String(text.split(separator: "\n").last ?? "") }
}
