import TestSupport
import Testing

@testable import ChainData

/// What an Electrum server answers is taken in time that grows as it does. How JSON and lines are read, `JSONScalingTests`
/// measures.
@Suite(.serialized) struct ElectrumScalingTests {
    @Test func answers() async throws {
        for (what, question, most) in [
            ("coins", AnswerScaling.Question.coins, AnswerScaling.ids.count), ("history", .history, 10_000),
        ] {
            try await AnswerScaling.expectLinear("Electrum's \(what)", question, upTo: most) { size in
                let answer = AnswerScaling.list(
                    AnswerScaling.ids.prefix(size).map {
                        #"{"tx_hash":"\#($0)","tx_pos":1,"height":100,"value":5000}"#
                    })
                let server = try ElectrumStandIn { _ in .result(answer) }
                return { settings in
                    try ChainServer(parsing: "electrum:127.0.0.1:\(server.port):t")
                        .open(network: .regtest, settings: settings)
                }
            }
        }
    }

    /// Answers to calls come in any order, each to one that waits.
    @Test func batches() throws {
        try Scaling.expectLinear("answers to a call") { size in
            size
        } work: { size in
            let call = ElectrumCall(count: size)
            for index in (1..<size).reversed() { #expect(call.note(index, .result(.null)) == nil) }
            #expect(call.note(0, .result(.null))?.count == size)
        }
    }

    /// A server may tell of changes as often as it likes, also of scripts that nobody asked for.
    @Test func changes() throws {
        try Scaling.expectLinear("scripts that are watched", upTo: AnswerScaling.ids.count) { size in
            Array(AnswerScaling.ids.prefix(size))
        } work: { hashes in
            var watch = ElectrumWatch()
            for hash in hashes { watch.subscribe(hash, nil) }
            let before = watch.takeChanges(of: hashes)
            for hash in hashes { watch.note(hash, "state") }
            for hash in hashes { watch.note("another \(hash)", "state") }
            let after = watch.takeChanges(of: hashes)
            #expect(watch.missing(of: hashes).isEmpty && !before && after)
        }
    }
}
