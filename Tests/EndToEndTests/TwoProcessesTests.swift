import Foundation
import TestSupport
import Testing

/// Two `tapkit` at once, with two cards and one store: both transactions become whole.
@Suite struct TwoProcessesTests {
    private static let inputCount = 30

    /// The readers that the two cards lie on.
    enum Readers: CaseIterable, Sendable {
        case simulated, pcsc
    }

    @Test(arguments: Readers.allCases) func twoCardsSignIntoOneStore(_ readers: Readers) async throws {
        let (first, second) = (try await Workshop(), try await Workshop())
        for workshop in [first, second] { try await workshop.writePSBT(inputs: Self.inputCount) }
        switch readers {
        case .simulated:
            try await sign(first, second) { workshop, environment in
                try workshop.start(Self.arguments, environment: environment)
            }
        case .pcsc:
            let sandbox = try await PCSCSandbox(card: first.cardFile, second.cardFile)
            try await sign(first, second) { workshop, environment in
                let number = workshop.ident == first.ident ? "00 00" : "00 01"
                return try sandbox.start(
                    Subprocess.tapkit,
                    ["sign", workshop.folder.path("tx.psbt"), "--reader", "pcsc:\(number)", "--wait=60"]
                        + Self.arguments.dropFirst(2), environment: workshop.environment.merging(environment) { $1 })
            }
        }
    }

    private static let arguments = ["sign", "tx.psbt", "--yes", "--json", "--progress"]

    private func sign(
        _ first: Workshop, _ second: Workshop,
        _ start: (Workshop, [String: String?]) throws -> InteractiveProcess
    ) async throws {
        let processes = [try start(first, first.ownStore), try start(second, first.ownStore)]
        for process in processes {
            #expect(try await process.ending() == .exited(0), "\(process.text)\(process.errorText)")
            let answer = try process.json()
            #expect(try answer.field("signed") == Self.inputCount)
            try await answer.expectComplete(inputs: Self.inputCount)
        }
        let store = try await StoreLook(at: first.folder.path("data"))
        #expect(store.integrity == "ok")
        #expect(store.unfinished.isEmpty)
        let list: [[String: Any]] = try await first.tapkit(["tx", "list", "--json"], environment: first.ownStore)
            .succeeded().json().field("transactions")
        #expect(list.count == 2)
        for transaction in list { #expect(try transaction.field("missing") == 0) }
    }
}
