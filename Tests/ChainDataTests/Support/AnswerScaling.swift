import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import ChainData

/// Whether histories and coins are made of what servers answer in time that grows as the answers do.
enum AnswerScaling {
    /// What is asked for, of one script.
    enum Question: Sendable {
        case history
        /// What the server claims.
        case coins
        /// What is proven of it.
        case provenCoins
    }

    /// The script that is asked for.
    static let script = Sample().script

    /// Different ids, as people see them.
    static let ids = (0..<1 << 14).map { Hex.encode(SHA256.hash("\($0)".utf8)) }

    /// A list in JSON.
    static func list(_ elements: some Sequence<String>) -> String { "[" + elements.joined(separator: ",") + "]" }

    /// Expects that each doubling multiplies the time by at most 2.5: all of it but what is done on threads of the
    /// connections, measured on the thread that waits.
    /// - Parameters:
    ///   - count: how many entries or coins there are for a size; `nil`: as many.
    ///   - server: makes a server for a size, and tells how its source is made.
    static func expectLinear(
        _ what: String, _ question: Question, from start: Int = 512, upTo most: Int = ids.count, count: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation,
        server: @escaping @Sendable (Int) throws -> @Sendable (ChainSettings) throws -> any ChainSource
    ) async throws {
        var settings = ChainSettings.forTests(retries: 0)
        (settings.longestAnswer, settings.longestConversation) = (1 << 26, 1 << 30)
        try await BlockingThread.run { [settings] in
            try Scaling.expectLinear(what, from: start, upTo: most, sourceLocation: sourceLocation) { size in
                (open: try server(size), count: count ?? size)
            } work: { (open, expected) in
                let found = try WaitingThread.run {
                    let source = try open(settings)
                    let found =
                        switch question {
                        case .history: try await source.histories(of: [script]).joined().count
                        case .coins: try await source.unspent(of: [script]).joined().count
                        case .provenCoins: try await source.coins(of: [script]).joined().count
                        }
                    await source.close()
                    return found
                }
                #expect(found == expected, sourceLocation: sourceLocation)
            }
        }
    }
}
