import TestSupport
import Testing

@testable import ChainData

/// Names of chain servers out of letters that Swift is slow to compare or to step over backwards, and with as many slashes as
/// one likes behind them, are read in time that grows as they do.
@Suite struct ChainServerSlowTextTests {
    @Test func letters() throws {
        for (what, piece) in [("accents", "\u{316}\u{301}"), ("flags", "\u{1F1E6}\u{1F1F9}")] {
            for start in ["", "electrum:", "electrum:h:5", "esplora:https://h"] {
                try Scaling.expectLinear("\(what) behind “\(start)”", from: 256, upTo: 1 << 12) { size in
                    start + String(repeating: piece, count: size)
                } work: { name in
                    #expect(throws: ChainServerError.self) { try ChainServer(parsing: name) }
                }
            }
        }
    }

    @Test func slashes() throws {
        try Scaling.expectLinear("slashes", from: 256, upTo: 1 << 14) { size in
            "esplora:https://h" + String(repeating: "/", count: size)
        } work: { name in
            let server = try ChainServer(parsing: name)
            #expect(server.description == "esplora:https://h")
        }
    }
}
