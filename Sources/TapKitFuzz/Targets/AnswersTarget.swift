@testable import TapProtocol

/// Responses to every command: a card, a step of a flow, and altered responses. The first byte chooses the card, the second
/// the step, the third whether even the first response is altered.
enum AnswersTarget: FuzzTarget {
    static let name = "answers"
    static let maximumLength = 1_024

    static func run(_ bytes: [UInt8]) throws {
        var source = ByteSource(bytes)
        let bench = source.pick(CardBench.all)
        let step = source.pick(CardStep.all)
        let isTamperedFirst = source.flag()
        let channel = TamperedChannel(bench.core, source)
        channel.isTampered = isTamperedFirst
        let connection = CardConnection(reader: TamperedReader(channel: channel), trace: { _ in })
        _ = try connection.begin()
        defer { connection.drop() }
        let session = try TapSession(connection: connection, random: SeedRandom(), trace: { _ in })
        if !isTamperedFirst { try step.prepare(session, bench) }
        channel.isTampered = true
        do { try step.run(session, bench) } catch let error as TapError {
            expect(!error.description.isEmpty, "an error says what happened")
            throw error
        }
    }

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        var random = SeedRandom()
        var seeds: [[UInt8]] = []
        for bench in CardBench.all.indices {
            for step in CardStep.all.indices {
                let head = [UInt8(bench), UInt8(step)]
                seeds += [head + [0], head + [1]]
                for _ in 0..<3 { seeds.append(head + [0] + random.bytes(24)) }
            }
        }
        return seeds
    }
}
