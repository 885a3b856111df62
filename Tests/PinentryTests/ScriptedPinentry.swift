import Foundation
import Glibc
import TestSupport
import Testing

@testable import Pinentry

/// `Tests/Interop/scripted_pinentry.py`, and what it was told.
struct ScriptedPinentry {
    static let path = Vectors.root.appendingPathComponent("Tests/Interop/scripted_pinentry.py").path

    private let folder: TemporaryFolder
    private let answers: [String]
    private let variables: [String: String]

    /// - Parameters:
    ///   - answers: what it answers; see the script.
    ///   - variables: of the environment.
    init(_ answers: String..., variables: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        self.answers = answers
        self.variables = variables
    }

    /// Asks, as the digits that were typed.
    func ask(
        _ question: Pinentry.Question = .init(description: "The CVC of TAPSIGNER AAAAA", prompt: "CVC:"),
        limits: Pinentry.Limits = .init(), interruption: Int32 = -1
    ) throws -> [UInt8] {
        var all = variables
        all["PATH"] = "/usr/bin:/bin"
        all["PINENTRY_USER_DATA"] = ([folder.path("log")] + answers).joined(separator: ",")
        all[PinentryProgram.variable] = Self.path
        let pinentry = try #require(
            Pinentry(environment: { all[$0] }, limits: limits, interruption: interruption))
        return try pinentry.ask(question).withBytes { Array($0) }
    }

    /// What it was told, and how it was started.
    var log: [String] {
        let text = (try? String(contentsOfFile: folder.path("log"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Whether the process still exists, as a zombie too.
    var isThere: Bool {
        guard let line = log.first(where: { $0.hasPrefix("pid ") }), let identifier = Int32(line.dropFirst(4)) else {
            return false
        }
        return kill(identifier, 0) == 0
    }
}
